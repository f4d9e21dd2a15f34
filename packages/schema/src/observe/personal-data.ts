import {
  createPiiFinder,
  type Detector,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maskText,
  type ObservationSettings,
  type PathNode,
  type PiiKind,
  parsePaths,
  piiKinds,
  stepInto,
} from '@sluice/core'

/** Takes personal data out of what the catalogue keeps. */
export interface PersonalDataMask {
  /** Whether the values of a dotted path, with or without the indexes of lists, are never shown. */
  hides(path: string): boolean
  /** The value as it may be kept: the same, or a text with what was found replaced. */
  value(value: string | number | boolean): string | number | boolean
  /** The beginning of a text, at most so many characters; nothing that would be found is cut in two. */
  cut(text: string, lengthMax: number): string
  /** A copy of the event with everything replaced; keys stay. What lies deeper than any sender may nest is null. */
  event(event: JsonObject): JsonObject
}

export const hiddenValue = '[masked]'

const kindsOf: Readonly<Record<Detector, readonly PiiKind[]>> = {
  email: ['email'],
  phone: ['phone'],
  card: ['card'],
  ip: ['ipv4', 'ipv6'],
}
/** A card or phone number has more digits than this number. */
const shortNumbersEnd = 1_000_000
const depthMax = 256
/** The longest that is found is an e-mail address: 64 characters, @ and 253 more (RFC 5321, RFC 1035). */
const piiLengthMax = 320

export function createPersonalDataMask({
  maskPaths,
  detectors,
}: Pick<ObservationSettings, 'maskPaths' | 'detectors'>): PersonalDataMask {
  const roots = maskPaths.length === 0 ? [] : [parsePaths(maskPaths)]
  const kinds = new Set(detectors.flatMap((detector) => kindsOf[detector]))
  const find = createPiiFinder(new Set(piiKinds.filter((kind) => kinds.has(kind))))
  const value = (given: string | number | boolean): string | number | boolean => {
    if (typeof given === 'boolean' || kinds.size === 0) return given
    if (typeof given === 'string') return maskText(given, find) ?? given
    return Math.abs(given) < shortNumbersEnd ? given : (maskText(String(given), find) ?? given)
  }
  const walk = (current: JsonValue, nodes: readonly PathNode[], depth: number): JsonValue => {
    if (current === null || depth > depthMax) return null
    if (typeof current !== 'object') return nodes.some(({ ends }) => ends) ? hiddenValue : value(current)
    if (!isJsonObject(current)) return current.map((item, index) => walk(item, onward(nodes, String(index)), depth + 1))
    const members = Object.entries(current).map(([key, member]): [string, JsonValue] => [
      key,
      walk(member ?? null, onward(nodes, key), depth + 1),
    ])
    return Object.fromEntries(members)
  }
  return {
    hides: (path) => onward(roots, path).some(({ ends }) => ends),
    value,
    cut: (text, lengthMax) => {
      const spans = find(text.slice(0, lengthMax + piiLengthMax))
      const across = spans.find(({ start, end }) => start < lengthMax && end > lengthMax)
      return text.slice(0, across?.start ?? lengthMax)
    },
    event: (event) => walk(event, roots, 0) as JsonObject,
  }
}

/** Goes on by a key, which may hold dots. A path that ended stands for everything below; an index may be left out. */
function onward(nodes: readonly PathNode[], key: string): readonly PathNode[] {
  if (nodes.length === 0) return nodes
  let at = nodes
  for (const part of key.split('.')) {
    const next = stepInto(at, part)
    const stay = at.filter(({ ends }) => ends)
    at = [...next, ...(/^\d+$/.test(part) ? at : stay)]
  }
  return at
}
