import type { DestinationDefinition } from '@sluice/destinations'
import type { Page } from '../pages/page.ts'
import { inlineCode, markdownTable } from './markdown.ts'

/**
 * Returns the page that lists all destination types, from their definitions.
 * @param pages the pages of the destinations: each names its type in its first paragraph.
 */
export function destinationList(definitions: readonly DestinationDefinition[], pages: readonly Page[]): Page {
  const addresses = new Map(
    pages.flatMap(({ path, text }) => {
      const [, type] = /^Type `(\w+)`/m.exec(text) ?? []
      return type !== undefined && path.startsWith('reference/destinations/') ? [[type, path.split('/').at(-1)]] : []
    }) as [string, string][],
  )
  const rows = [...definitions]
    .sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'))
    .map((definition) => {
      const { type, displayName, supports, takesAnyType, batch, deletion } = definition
      const address = addresses.get(type)
      if (address === undefined) throw new Error(`The destination ${type} has no page.`)
      return [
        `[${displayName}](./${address}.md)`,
        inlineCode(type),
        takesAnyType ? 'all' : supports.length === 0 ? 'none' : supports.length === 6 ? 'all six' : supports.join(', '),
        batch ? 'yes' : '',
        deletion ? 'yes' : '',
      ]
    })
  const text = [
    '# Destinations',
    `${rows.length} types are built in. Each page has the settings, the limits and an example of what is sent; all of it comes from the definition that runs. [Warehouses](../../behaviour/warehouses.md) and [Segment’s destinations](../../guides/segment-destinations.md) come in packages of their own; [write one](../../guides/write-a-destination.md) for anything else.`,
    markdownTable(['destination', 'type', 'events', 'batches', 'deletes users'], rows),
  ]
  return { path: 'reference/destinations/index', text: `${text.join('\n\n')}\n` }
}
