/** Characters of a text that are shown; longer ones are cut around what matters. */
const shownMax = 160
/** What is shown in front of the first character that differs. */
const beforeMax = 40

/** A text as JSON, cut when it is long; the cut says how long it is. */
export function cutText(text: string, from = 0): string {
  if (text.length <= shownMax) return JSON.stringify(text)
  const start = Math.max(0, Math.min(from - beforeMax, text.length - shownMax))
  const part = text.slice(start, start + shownMax)
  const after = start + shownMax < text.length ? '…' : ''
  return JSON.stringify(`${start > 0 ? '…' : ''}${part}${after} (${text.length} characters)`)
}

/** Two texts that differ, as JSON, both cut so that the first difference is seen. */
export function cutPair(expected: string, actual: string): readonly [string, string] {
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same += 1
  return [cutText(expected, same), cutText(actual, same)]
}
