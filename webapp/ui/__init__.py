"""The parts that several pages share: addresses, boards, choices, filters and previews."""
