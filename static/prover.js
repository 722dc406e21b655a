// A worker that runs pasted code and asks it for squares. Its policy lets it evaluate code, but reach no network.
"use strict";
{ // its own names are out of reach of the code
  const evaluate = eval; // an indirect call: the code sees only the worker's globals
  const random = Math.random;
  let bot, drew = false;
  Math.random = () => ((drew = true), random()); // a bot that draws plays otherwise the next time

  // The code is a function, or several declarations of which the last function counts.
  function made(code) {
    try {
      return evaluate(`(${code.trim().replace(/;$/, "")}\n)`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    const names = [...code.matchAll(/^(?:const|let|var|(?:async\s+)?function)\s+([\w$]+)/gm)].map((found) => found[1]);
    const last = `[${names}].filter((each) => typeof each === "function").at(-1)`;
    return evaluate(names.length ? `${code}\n;${last}` : code);
  }

  async function answer({ code, board, mark }) {
    if (code === undefined) return bot(board, mark);
    bot = made(code);
    if (typeof bot !== "function") throw new TypeError("that isn't a function");
  }

  onmessage = async ({ data }) => {
    try {
      const said = await answer(data);
      postMessage({ drew, said: typeof said === "number" ? said : said === undefined ? null : String(said) });
    } catch (error) {
      postMessage({ thrown: String(error) });
    }
  };
}
