import type { KeyPath } from './key-path.ts'

/** Reads one value of an event, or undefined. */
export type PathReader = (source: unknown) => unknown

/**
 * Creates a function that reads the value at a path. As in Segment, a falsy value on the way ends it: at `a.b`, the
 * object `{ a: 0 }` has 0.
 *
 * Reads only own members, so that no path leads to a prototype.
 */
export function createPathReader(path: KeyPath): PathReader {
  const [first = '', second = '', third = ''] = path
  if (path.some(isInherited)) return (source) => readPath(source, path)
  switch (path.length) {
    case 0:
      return (source) => source
    case 1:
      return (source) => source && (source as Members)[first]
    case 2:
      return (source) => {
        const value = source && (source as Members)[first]
        return value && (value as Members)[second]
      }
    case 3:
      return (source) => {
        let value = source && (source as Members)[first]
        value = value && (value as Members)[second]
        return value && (value as Members)[third]
      }
    default:
      return (source) => {
        let value = source
        for (const key of path) value = value && (value as Members)[key]
        return value
      }
  }
}

/** Reads the value at a path that is known only at run time. */
export function readPath(source: unknown, path: KeyPath): unknown {
  let value = source
  for (const key of path) {
    if (!value) return value
    value = Object.hasOwn(value, key) ? (value as Members)[key] : undefined
  }
  return value
}

type Members = Readonly<Record<string, unknown>>

const prototypes = [Object, Array, String, Number, Boolean].map(({ prototype }) => prototype as object)

/** Returns whether a JSON value may have a member of this name that is not its own. */
function isInherited(key: string): boolean {
  return prototypes.some((prototype) => key in prototype)
}
