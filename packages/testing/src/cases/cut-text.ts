/** Most characters shown of a text; longer ones are cut around the important part. */
const shownMax = 160
/** Characters shown before the first difference. */
const beforeMax = 40

/** Formats a text as JSON. A long text is cut, with a note of its length. */
export function cutText(text: string, from = 0): string {
  if (text.length <= shownMax) return JSON.stringify(text)
  const start = Math.max(0, Math.min(from - beforeMax, text.length - shownMax))
  const part = text.slice(start, start + shownMax)
  const after = start + shownMax < text.length ? '…' : ''
  return JSON.stringify(`${start > 0 ? '…' : ''}${part}${after} (${text.length} characters)`)
}

/** Formats two different texts as JSON, both cut so that the first difference is visible. */
export function cutPair(expected: string, actual: string): readonly [string, string] {
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same += 1
  return [cutText(expected, same), cutText(actual, same)]
}
