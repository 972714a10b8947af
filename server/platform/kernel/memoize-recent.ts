/**
 * Returns a function that keeps what `make` returned for the last `size` objects, which nobody may change meanwhile. For what is
 * asked of an object many times in a row: a `WeakMap` of all of them costs the garbage collector as much as it saves.
 */
export function memoizeRecent<Key extends object, Value>(
  size: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  const keys: (Key | null)[] = Array.from({ length: size }, () => null);
  const values: Value[] = [];
  let next = 0;
  return (key) => {
    const at = keys.indexOf(key);
    if (at !== -1) return values[at] as Value;
    const value = make(key);
    keys[next] = key;
    values[next] = value;
    next = (next + 1) % size;
    return value;
  };
}
