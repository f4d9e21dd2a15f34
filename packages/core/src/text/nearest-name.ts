import { distance } from '#inlined/fastest-levenshtein'

/** Longest name that is compared, since the time grows with the square of the length. */
const lengthMax = 100

/**
 * Returns the known name that somebody probably meant: the one with the fewest different characters, upper and lower
 * case being the same. Two neighbours in the wrong order count as one. Undefined when more than a third of the characters
 * differ.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > lengthMax) return undefined
  const differencesMax = Math.max(1, Math.floor(given.length / 3))
  let nearest: { readonly name: string; readonly differences: number } | undefined
  for (const name of known) {
    const differences = differencesOf(given.toLowerCase(), name.toLowerCase())
    if (differences <= differencesMax && differences < (nearest?.differences ?? Number.POSITIVE_INFINITY))
      nearest = { name, differences }
  }
  return nearest?.name
}

function differencesOf(given: string, name: string): number {
  const at = [...given].findIndex((character, i) => character !== name[i])
  const swapped = `${given.slice(0, at)}${given[at + 1] ?? ''}${given[at] ?? ''}${given.slice(at + 2)}`
  return at >= 0 && swapped === name ? 1 : distance(given, name)
}
