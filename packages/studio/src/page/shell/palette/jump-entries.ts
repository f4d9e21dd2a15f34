import type { IconName } from '../../parts/signs/icon.tsx'

/** Something to jump to. */
export interface JumpEntry {
  /** Name of the group that it is shown in, such as Destinations. */
  readonly group: string
  readonly icon: IconName
  readonly title: string
  /** What it is, beside its title. */
  readonly note: string
  /** Path below `/studio`. */
  readonly path: string
  /** What is done besides, when it is chosen. */
  readonly onOpen?: () => void
}

/** Group of what can be done, which is shown before anything is written, like the first one. */
export const deeds = 'Do'

/** Found entries of each group that are shown. */
const foundMax = 6

/**
 * Returns the entries whose title or note has every word of a text. Those whose title begins with it come first, the others
 * in their order. Without a text, entries of the first group and deeds only. What looks like an id leads to the event with that id.
 */
export function findEntries(entries: readonly JumpEntry[], text: string): readonly JumpEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = entries
  if (words.length === 0) return entries.filter(({ group }) => group === first?.group || group === deeds)
  const fitting = entries.filter(({ title, note }) => {
    const all = `${title} ${note}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const begins = ({ title }: JumpEntry): boolean => title.toLowerCase().startsWith(words[0] ?? '')
  const ordered = [...fitting.filter(begins), ...fitting.filter((entry) => !begins(entry))]
  const groups = new Set(ordered.map(({ group }) => group))
  const found = [...groups].flatMap((group) => ordered.filter((entry) => entry.group === group).slice(0, foundMax))
  const [id] = words.length === 1 ? [text.trim()] : []
  return id === undefined ? found : [...found, eventEntry(id)]
}

function eventEntry(id: string): JumpEntry {
  return {
    group: 'Find',
    icon: 'radio',
    title: id,
    note: 'Event with this id',
    path: `/live/${encodeURIComponent(id)}`,
  }
}
