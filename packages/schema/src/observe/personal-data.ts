import {
  type Detector,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObservationSettings,
  type PathNode,
  parsePaths,
  stepInto,
} from '@sluice/core'
import { createPiiFinder, maskText, type PiiKind, piiKinds } from '@sluice/pii'

/** Removes personal data from what the catalogue stores. */
export interface PersonalDataMask {
  /** Returns whether the values of a dotted path, with or without the indexes of lists, must never be shown. */
  hides(path: string): boolean
  /** Returns the value as it may be stored: unchanged, or a text with personal data replaced. */
  value(value: string | number | boolean): string | number | boolean
  /** Returns the first `lengthMax` characters of a text, or fewer so that no personal data is cut in two. */
  cut(text: string, lengthMax: number): string
  /** Returns a key as it may be stored: personal data in it replaced. */
  key(key: string): string
  /**
   * Returns a copy of the event with all personal data replaced, in keys, too; of keys that become equal, the last one is
   * kept. Values nested deeper than any sender may
   * nest become null.
   */
  event(event: JsonObject): JsonObject
}

export const hiddenValue = '[masked]'

const kindsOf: Readonly<Record<Detector, readonly PiiKind[]>> = {
  email: ['email'],
  phone: ['phone'],
  card: ['card'],
  ip: ['ipv4', 'ipv6'],
}
/** Smaller numbers have too few digits for a card or phone number. */
const shortNumbersEnd = 1_000_000
const depthMax = 256
/**
 * Length of the longest detectable item, an e-mail address: 64 characters, @ and 253 more (RFC 5321, RFC 1035), each of which
 * may be written as 24 others; %25EF%25BC%25A0 has 15.
 */
const piiLengthMax = 320 * 24

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
  const maskedKey = (key: string): string => (kinds.size === 0 ? key : (maskText(key, find) ?? key))
  const walk = (current: JsonValue, nodes: readonly PathNode[], depth: number): JsonValue => {
    if (current === null || depth > depthMax) return null
    if (typeof current !== 'object') return nodes.some(({ ends }) => ends) ? hiddenValue : value(current)
    if (!isJsonObject(current)) return current.map((item, index) => walk(item, onward(nodes, String(index)), depth + 1))
    const members = Object.entries(current).map(([key, member]): [string, JsonValue] => [
      maskedKey(key),
      walk(member ?? null, onward(nodes, key), depth + 1),
    ])
    return Object.fromEntries(members)
  }
  return {
    hides: (path) => onward(roots, path).some(({ ends }) => ends),
    value,
    key: maskedKey,
    cut: (text, lengthMax) => {
      const spans = find(text.slice(0, lengthMax + piiLengthMax))
      const across = spans.find(({ start, end }) => start < lengthMax && end > lengthMax)
      return text.slice(0, across?.start ?? lengthMax)
    },
    event: (event) => walk(event, roots, 0) as JsonObject,
  }
}

/** Follows a key, which may contain dots. A path that ended includes everything below it; an index may be left out. */
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
