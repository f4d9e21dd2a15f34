import type { CatalogueModels } from '@sluice/http'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { readTypeNames } from '../../api/type-names.ts'
import type { IconName } from '../../parts/signs/icon.tsx'
import { isAskingForPerson } from '../../views/privacy/wanted-person.ts'
import { viewGroups } from '../views.tsx'
import { deeds, type JumpEntry } from './jump-entries.ts'

interface Named {
  readonly id: string
  readonly name: string
  readonly type?: string
  readonly description?: string
}

/** Returns the pages that one may see, and what one may do from anywhere. */
export function pageEntries(scopes: readonly string[]): readonly JumpEntry[] {
  const pages = viewGroups.flatMap(({ title: group, views }) =>
    views
      .filter(({ scope }) => scopes.includes(scope))
      .map(({ title, icon, path }): JumpEntry => ({ group: 'Pages', icon, title, note: group, path })),
  )
  const isPrivate = pages.some(({ path }) => path === findPerson.path)
  return isPrivate ? [...pages, findPerson] : pages
}

/** The id is written into the field of the page: neither the palette nor an address has it. */
const findPerson: JumpEntry = {
  group: deeds,
  icon: 'fingerprint-pattern',
  title: 'Find a person',
  note: 'By any id',
  path: '/privacy',
  onOpen: () => {
    isAskingForPerson.value = true
  },
}

/** Reads sources, destinations, transformations and event models. What cannot be read is left out. */
export async function readEntries(signal: AbortSignal): Promise<readonly JumpEntry[]> {
  const typeNames = await readTypeNames()
  const toEntries = (group: string, icon: IconName, place: string) => (records: readonly Named[]) =>
    records.map(({ id, name, type = '' }) => ({
      group,
      icon,
      title: name,
      note: typeNames.get(type) ?? type,
      path: `${place}/${encodeURIComponent(id)}`,
    }))
  const all = await Promise.allSettled([
    readAll<Named>('/v2/sources', 'sources', signal).then(toEntries('Sources', 'log-in', '/sources')),
    readAll<Named>('/v2/destinations', 'destinations', signal).then(toEntries('Destinations', 'send', '/destinations')),
    request<{ transformations: readonly Named[] }>('/transformations', { signal }).then(({ transformations }) =>
      toEntries('Transformations', 'code-xml', '/transformations')(transformations),
    ),
    request<CatalogueModels>('/v2/catalogue/models', { signal }).then(({ models }) =>
      models.map(({ id, event, type }) => ({
        group: 'Events',
        icon: 'book-open' as const,
        title: event || type,
        note: type,
        path: `/catalogue/${encodeURIComponent(id)}`,
      })),
    ),
  ])
  return all.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}
