// What is told of a run's steps in numbers: {at, k, objective, sigma, sharpness, poses}.

function tellOf(run, told) {
  const runs = (store.told ??= new Map());
  runs.set(run, (runs.get(run) ?? new Map()).set(told.at, told));
}

function toldOf(run, count) {
  const known = store.told?.get(run) ?? new Map();
  return Array.from({ length: count }, (_, at) => known.get(at));
}
