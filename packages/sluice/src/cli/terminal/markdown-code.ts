import { printable } from '@sluice/core/printable'

/** Returns a text as code of Markdown, in ticks that no tick of the text ends. */
export function markdownCode(text: string): string {
  const shown = printable(text)
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const tick = '`'.repeat(longest + 1)
  return longest === 0 ? `${tick}${shown}${tick}` : `${tick} ${shown} ${tick}`
}
