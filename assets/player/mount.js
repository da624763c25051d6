// Streamlit calls this on mounting, on new data and on a new theme; only the last result at the end.

const mounted = new WeakMap(); // the element -> its player

export default function mount({ data, parentElement, setStateValue }) {
  const player = mounted.get(parentElement) ?? new Player(parentElement);
  mounted.set(parentElement, player);
  player.update(data, setStateValue);
  const turn = (player.turn = (player.turn ?? 0) + 1);
  return () => {
    if (player.turn !== turn) return;
    mounted.delete(parentElement);
    player.remove();
  };
}
