// What this device keeps for its visitor, and no server knows: under each name one value, written as JSON.

const kept = {
  /* Returns the value under a name; `none` tells its shape and stands in for it. */
  read(name, none) {
    try {
      const value = JSON.parse(localStorage.getItem(name));
      return value && typeof value === "object" && Array.isArray(value) === Array.isArray(none) ? value : none;
    } catch {
      return none; // this browser keeps nothing, or something else
    }
  },
  write(name, value) {
    try {
      if (value) localStorage.setItem(name, JSON.stringify(value));
      else localStorage.removeItem(name);
    } catch {
      // then it stays as it was
    }
  },
};
