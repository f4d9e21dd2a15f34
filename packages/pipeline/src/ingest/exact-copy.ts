/**
 * Whether a value can be kept as JSON. The flags of its parts are added up, because numbers cost less than texts where
 * every value of every event is looked at; 0 means that it can be kept as it is.
 */
export type Judgement = number

export const judgements = {
  /** Has a number beyond ±2^53: `JSON.parse` has rounded it, or made it infinite, so its sender may mean another. */
  large: 1,
  /** Its JSON text says something else. */
  inexact: 2,
  /** It cannot be kept. */
  refused: 4,
} as const

/**
 * Judges a value that was parsed from JSON. Checked before anything recursive reads it; the walk itself goes no deeper
 * than `depth`.
 */
export function judge(value: unknown, depth: number): Judgement {
  if (typeof value === 'number') return judgeNumber(value)
  if (typeof value !== 'object') return typeof value === 'bigint' ? judgements.refused : 0
  if (value === null) return 0
  if (depth === 0) return judgements.refused
  let all = 0
  for (const member of Object.values(value)) {
    all |= judge(member, depth - 1)
    if ((all & judgements.refused) !== 0) return judgements.refused
  }
  return all
}

function judgeNumber(value: number): Judgement {
  const large = value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER ? judgements.large : 0
  return isExactNumber(value) ? large : large | judgements.inexact
}

/**
 * Returns a copy of what somebody else may change later, so that the event need not be parsed from its text again.
 *
 * Copies only what the JSON text would say as well: plain objects and lists of texts, exact numbers, booleans and null.
 * Undefined for anything else (dates, classes, holes, functions, members that are undefined), and below `depth`.
 */
export function exactCopy<T extends object>(value: T, depth: number): T | undefined {
  if (depth === 0) return undefined
  return (Array.isArray(value) ? copyOfList(value, depth) : copyOfObject(value, depth)) as T | undefined
}

function copyOfObject(object: object, depth: number): object | undefined {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  // By far the fastest way to copy an object. Getters are asked once, so the copy has values only.
  const copy: Record<string, unknown> = { ...object }
  for (const key in copy) {
    const member = copy[key]
    if (isExactScalar(member)) continue
    const inner = typeof member === 'object' && member !== null ? exactCopy(member, depth - 1) : undefined
    if (inner === undefined) return undefined
    // A plain assignment to __proto__ would change the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: inner, ...plainMember })
    else copy[key] = inner
  }
  return Object.getOwnPropertySymbols(copy).length === 0 ? copy : undefined
}

const plainMember = { writable: true, enumerable: true, configurable: true }

function copyOfList(list: readonly unknown[], depth: number): unknown[] | undefined {
  if (Object.getPrototypeOf(list) !== Array.prototype || 'toJSON' in list) return undefined
  const copy: unknown[] = []
  for (const item of list) {
    const inner = isExactScalar(item)
      ? item
      : typeof item === 'object' && item !== null
        ? exactCopy(item, depth - 1)
        : undefined
    if (inner === undefined) return undefined
    copy.push(inner)
  }
  return copy
}

function isExactScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return isExactNumber(value)
    default:
      return value === null
  }
}

/** JSON writes -0 as 0, and what is not finite as null. */
function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0)
}
