// What tells things of one name apart: the shortest end of each path that no other one has.

interface Named {
  name: string;
  path: string;
}

/** For each, the end of its path that tells it from the others of its name; undefined where none has it. */
export function distinctEnds(all: readonly Named[]): (string | undefined)[] {
  return all.map((current) => {
    const others = all.filter(({ name, path }) => name === current.name && path !== current.path);
    if (others.length === 0) return undefined;
    const steps = stepsOf(current.path);
    for (let count = 1; count <= steps.length; count += 1) {
      const end = steps.slice(-count).join('/');
      const isShared = others.some(({ path }) => stepsOf(path).slice(-count).join('/') === end);
      if (!isShared) return end;
    }
    return current.path;
  });
}

const stepsOf = (path: string): string[] => path.split(/[\\/]/).filter(Boolean);
