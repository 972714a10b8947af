/** What one part of the program notes on objects of others. */
export interface HiddenProperty<Owner extends object, Value> {
  get(owner: Owner): Value | undefined;
  set(owner: Owner, value: Value): void;
}

/**
 * Creates a property of objects that nobody else sees, for what a request carries along. A `WeakMap` keeps what it has of
 * young objects until the whole heap is collected, where the value leads back to its key: all of a request, of each request.
 */
export function createHiddenProperty<Owner extends object, Value>(
  name: string,
): HiddenProperty<Owner, Value> {
  const key = Symbol(name);
  return {
    get: (owner) => (owner as { [key]?: Value })[key],
    set: (owner, value) => void ((owner as { [key]?: Value })[key] = value),
  };
}
