import type { JsonValue } from '@sluice/core'

/** Sets a member of an object that our code has created. `__proto__` becomes an ordinary member. */
export function setMember(
  target: Record<string, JsonValue | undefined>,
  key: string,
  value: JsonValue | undefined,
): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
