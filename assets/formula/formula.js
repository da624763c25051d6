// A formula by itself, with its numbers: data is [[text, name, about], ...].

const formulas = new WeakMap(); // the element -> {line, stop}

export default function show({ data, parentElement }) {
  let formula = formulas.get(parentElement);
  if (!formula) {
    const line = Object.assign(document.createElement("p"), { className: "math" });
    parentElement.append(line);
    formula = { line, stop: shareLights(line) };
    formulas.set(parentElement, formula);
  }
  writeTerms(formula.line, data);
  const turn = (formula.turn = (formula.turn ?? 0) + 1);
  return () => {
    if (formula.turn !== turn) return;
    formulas.delete(parentElement);
    formula.stop();
    formula.line.remove();
  };
}
