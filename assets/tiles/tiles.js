// A book of pictures: a click, Space or Enter chooses one or drops it; arrow keys move along.

const books = new WeakMap(); // the element -> its buttons by name

export default function show({ data, parentElement, setTriggerValue }) {
  const signature = JSON.stringify(data.tiles);
  let book = books.get(parentElement);
  if (book?.signature !== signature) {
    book = { signature, buttons: build(data, parentElement) };
    books.set(parentElement, book);
  }
  book.toggle = (name) => setTriggerValue("toggled", name);
  const root = parentElement.querySelector(".book");
  root.classList.toggle("small", Boolean(data.small));
  for (const [name, button] of book.buttons) {
    button.onclick = () => book.toggle(name);
    button.setAttribute("aria-pressed", String(data.chosen.includes(name)));
  }
  if (data.small) bringIntoView(root, book.buttons.get(data.chosen[0]));
}

// Without moving the page, as scrollIntoView would.
function bringIntoView(root, button) {
  if (!button) return;
  const [top, bottom] = [button.offsetTop - root.offsetTop, button.offsetTop - root.offsetTop + button.offsetHeight];
  if (top < root.scrollTop || bottom > root.scrollTop + root.clientHeight) root.scrollTop = top - 30;
}

function build(data, parent) {
  const buttons = new Map();
  const root = document.createElement("div");
  root.className = "book";
  for (const [family, title] of Object.entries(data.families)) {
    const members = data.tiles.map((tile, at) => [...tile, at]).filter((tile) => tile[2] === family);
    if (!members.length) continue;
    const group = document.createElement("div");
    group.className = "family";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    for (const [name, label, , at] of members) {
      const button = tile(label, at, data.columns, data.tiles.length);
      buttons.set(name, button);
      group.append(button);
    }
    group.firstChild.tabIndex = 0; // one stop of the Tab key for each family
    group.addEventListener("keydown", (event) => move(event, [...group.children]));
    root.append(heading(title), group);
  }
  parent.querySelector(".book")?.remove();
  parent.append(root);
  return buttons;
}

function heading(title) {
  const element = document.createElement("div");
  element.className = "title";
  element.textContent = title;
  return element;
}

function tile(label, at, columns, count) {
  const button = document.createElement("button");
  const rows = Math.ceil(count / columns);
  const [row, column] = [Math.floor(at / columns), at % columns];
  button.type = "button";
  button.tabIndex = -1;
  button.title = label;
  button.setAttribute("aria-label", label);
  button.style.backgroundSize = `${columns * 100}% ${rows * 100}%`;
  const [x, y] = [column / (columns - 1), rows > 1 ? row / (rows - 1) : 0];
  button.style.backgroundPosition = `${x * 100}% ${y * 100}%`;
  return button;
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function move(event, buttons) {
  const last = buttons.length - 1;
  const at = buttons.indexOf(event.target);
  const places = { Home: 0, End: last };
  const next = places[event.key] ?? at + (STEPS[event.key] ?? NaN);
  if (!(next >= 0 && next <= last)) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}
