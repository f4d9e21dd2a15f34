import { type Page, titleOf } from './page.ts'

export interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** Sidebars by the start of the addresses they are shown at. */
export type Sidebars = Readonly<Record<string, readonly SidebarItem[]>>

const order = {
  start: ['guides/start', 'overview', 'guides/tour', 'guides/playground', 'contents'],
  build: [
    'guides/embed',
    'guides/mount',
    'guides/compose',
    'guides/run-anywhere',
    'guides/send-events',
    'guides/browsers',
    'guides/transform',
    'guides/test-transformations',
    'guides/diff',
    'guides/plans-and-types',
    'guides/destinations',
    'guides/segment-destinations',
    'guides/write-a-destination',
  ],
  run: [
    'guides/govern',
    'guides/operate',
    'guides/studio',
    'guides/configuration-as-code',
    'guides/run-as-a-service',
    'guides/operate-a-cluster',
    'guides/capacity',
    'guides/own-store',
  ],
  move: ['guides/migrate-from-rudderstack', 'guides/migrate-from-segment'],
  look: ['reference/errors', 'reference/options'],
  design: [
    'architecture',
    'queues',
    'principles',
    'threat-model',
    'performance',
    'compatibility',
    'clients',
    'conformance',
  ],
  project: ['contributing', 'report-a-vulnerability'],
}

/** Returns the sidebars of all pages. A page that is in none of them is an error. */
export function sidebars(pages: readonly Page[]): Sidebars {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const itemOf = (path: string): SidebarItem => {
    const page = byPath.get(path)
    if (page === undefined) throw new Error(`The sidebar names ${path}, which is not a page.`)
    return { text: titleOf(page), link: `/${path}` }
  }
  const listOf = (paths: readonly string[]): readonly SidebarItem[] => paths.map(itemOf)
  /** All pages below a folder, its index first. */
  const below = (folder: string): readonly SidebarItem[] =>
    listOf([...byPath.keys()].filter((path) => path.startsWith(`${folder}/`)).sort(indexFirst))
  const guides = [
    { text: 'Start', items: listOf(order.start) },
    { text: 'Build', items: listOf(order.build) },
    { text: 'Run', items: listOf(order.run) },
    { text: 'Move', items: listOf(order.move) },
  ]
  const reference = [
    { text: 'Look up', items: listOf(order.look) },
    { text: 'Error codes', items: below('errors') },
    { text: 'APIs explained', items: below('api') },
    { text: 'Every HTTP route', collapsed: true, items: below('reference/http') },
    { text: 'Commands', collapsed: true, items: below('reference/commands') },
    { text: 'Destinations', collapsed: true, items: below('reference/destinations') },
    { text: 'TypeScript API', collapsed: true, items: below('reference/library') },
    { text: 'Behaviour', items: below('behaviour') },
  ]
  const design = [
    { text: 'Design', items: listOf(order.design) },
    { text: 'Decisions', collapsed: true, items: below('decisions') },
    { text: 'Packages', collapsed: true, items: below('packages') },
    { text: 'Project', items: listOf(order.project) },
  ]
  const made: Sidebars = {
    '/guides/': guides,
    '/overview': guides,
    '/contents': guides,
    '/reference/': reference,
    '/api/': reference,
    '/behaviour/': reference,
    '/errors/': reference,
    '/': design,
  }
  const listed = new Set(Object.values(made).flatMap((items) => items.flatMap(linksOf)))
  const unlisted = pages.filter(({ path }) => !listed.has(`/${path}`))
  if (unlisted.length > 0) throw new Error(`No sidebar has ${unlisted.map(({ path }) => path).join(', ')}.`)
  return made
}

function indexFirst(a: string, b: string): number {
  const isIndex = (path: string): number => (path.endsWith('/index') ? 0 : 1)
  return isIndex(a) - isIndex(b) || (a < b ? -1 : 1)
}

function linksOf({ link, items = [] }: SidebarItem): readonly string[] {
  return [...(link === undefined ? [] : [link]), ...items.flatMap(linksOf)]
}
