import { type LazyComponent, lazy } from '../parts/lazy.tsx'
import type { IconName } from '../parts/signs/icon.tsx'

/** One view of the page. */
interface View {
  /** The beginning of its path below `/studio`. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** One line for people who see it first. */
  readonly about: string
  /** The scope without which the server refuses all it shows: without it, the view is not in the navigation. */
  readonly scope: 'read' | 'operate' | 'admin'
  /** Whether it shows its own `PageHead`, in place of its title and line. */
  readonly hasOwnHead?: boolean
  readonly component: LazyComponent<object>
}

/** Views that belong together, under one name in the navigation. */
interface ViewGroup {
  /** Empty for the first, which needs none. */
  readonly title: string
  readonly views: readonly View[]
}

/** All views, in the order of the navigation. Each is loaded when it is first opened. */
export const viewGroups: readonly ViewGroup[] = [
  {
    title: '',
    views: [
      {
        path: '/',
        title: 'Overview',
        icon: 'layout-dashboard',
        about: 'Is everything well, and what changed?',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/overview/overview-view.tsx').then(({ OverviewView }) => OverviewView)),
      },
    ],
  },
  {
    title: 'Watch',
    views: [
      {
        path: '/flow',
        title: 'Flow',
        icon: 'waypoints',
        about: 'Where events come from, what becomes of them, and where they end.',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/flow/flow-view.tsx').then(({ FlowView }) => FlowView)),
      },
      {
        path: '/live',
        title: 'Live events',
        icon: 'radio',
        about: 'What happens to events now, and the journey of each.',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/live/live-view.tsx').then(({ LiveView }) => LiveView)),
      },
      {
        path: '/failed',
        title: 'Failed events',
        icon: 'mail-warning',
        about: 'Why events failed, what was sent, what was answered, and how to send them again.',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/failed/failed-view.tsx').then(({ FailedView }) => FailedView)),
      },
    ],
  },
  {
    title: 'Build',
    views: [
      {
        path: '/sources',
        title: 'Sources',
        icon: 'log-in',
        about: 'Who sends events, with which key.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() => import('../views/sources/sources-view.tsx').then(({ SourcesView }) => SourcesView)),
      },
      {
        path: '/transformations',
        title: 'Transformations',
        icon: 'code-xml',
        about: 'Your own code on events: write it, try it, publish it, and choose where it runs.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() =>
          import('../views/transformations/transformations-view.tsx').then(
            ({ TransformationsView }) => TransformationsView,
          ),
        ),
      },
      {
        path: '/destinations',
        title: 'Destinations',
        icon: 'send',
        about: 'Who receives events, and how well.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() =>
          import('../views/destinations/destinations-view.tsx').then(({ DestinationsView }) => DestinationsView),
        ),
      },
    ],
  },
  {
    title: 'Know',
    views: [
      {
        path: '/catalogue',
        title: 'Catalogue',
        icon: 'book-open',
        about: 'Which events were seen, what they look like, and how that changes.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() =>
          import('../views/catalogue/catalogue-view.tsx').then(({ CatalogueView }) => CatalogueView),
        ),
      },
      {
        path: '/warehouse',
        title: 'Warehouse',
        icon: 'database',
        about: 'What was loaded into which tables, and which values did not fit.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() =>
          import('../views/warehouse/warehouse-view.tsx').then(({ WarehouseView }) => WarehouseView),
        ),
      },
      {
        path: '/privacy',
        title: 'Privacy',
        icon: 'shield-check',
        about: 'What is held of a user and who got it; suppress, delete, and prove it.',
        scope: 'read',
        hasOwnHead: true,
        component: lazy(() => import('../views/privacy/privacy-view.tsx').then(({ PrivacyView }) => PrivacyView)),
      },
    ],
  },
  {
    title: 'Run',
    views: [
      {
        path: '/server',
        title: 'Server',
        icon: 'server',
        about: 'What runs here, and how much of it is used.',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/server/server-view.tsx').then(({ ServerView }) => ServerView)),
      },
      {
        path: '/changes',
        title: 'Changes',
        icon: 'rotate-ccw-clock',
        about: 'Who changed what, or read personal data unmasked.',
        scope: 'operate',
        hasOwnHead: true,
        component: lazy(() => import('../views/changes/changes-view.tsx').then(({ ChangesView }) => ChangesView)),
      },
    ],
  },
]

const views = viewGroups.flatMap((group) => group.views)

/** Returns the view of a path: the one whose own path is its longest beginning. */
export function viewOf(path: string): View | undefined {
  const fitting = views.filter((view) => path === view.path || (view.path !== '/' && path.startsWith(`${view.path}/`)))
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]
}
