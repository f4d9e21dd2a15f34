import { type LazyComponent, lazy } from '../parts/lazy.tsx'

/** One view of the page. */
interface View {
  /** The beginning of its path below `/studio`. */
  readonly path: string
  readonly title: string
  /** One line for people who see it first. */
  readonly about: string
  /** The scope without which the server refuses all it shows. */
  readonly scope: 'read' | 'operate'
  readonly component: LazyComponent<object>
}

/** All views, in the order of the navigation. Each is loaded when it is first opened. */
export const views: readonly View[] = [
  {
    path: '/',
    title: 'Flow',
    about: 'Where events come from, what becomes of them, and where they end.',
    scope: 'operate',
    component: lazy(() => import('../views/flow/flow-view.tsx').then(({ FlowView }) => FlowView)),
  },
  {
    path: '/live',
    title: 'Live events',
    about: 'What happens to events now, and the journey of each.',
    scope: 'operate',
    component: lazy(() => import('../views/live/live-view.tsx').then(({ LiveView }) => LiveView)),
  },
  {
    path: '/dead-letters',
    title: 'Dead letters',
    about: 'Events that failed: why, what was sent, what was answered, and how to send them again.',
    scope: 'operate',
    component: lazy(() =>
      import('../views/dead-letters/dead-letters-view.tsx').then(({ DeadLettersView }) => DeadLettersView),
    ),
  },
  {
    path: '/transformations',
    title: 'Transformations',
    about: 'Your own code on events: write it, try it, publish it, and choose where it runs.',
    scope: 'read',
    component: lazy(() =>
      import('../views/transformations/transformations-view.tsx').then(
        ({ TransformationsView }) => TransformationsView,
      ),
    ),
  },
  {
    path: '/catalogue',
    title: 'Catalogue',
    about: 'Which events were seen, what they look like, and how that changes.',
    scope: 'read',
    component: lazy(() => import('../views/catalogue/catalogue-view.tsx').then(({ CatalogueView }) => CatalogueView)),
  },
  {
    path: '/privacy',
    title: 'Privacy',
    about: 'What is held of a user and who got it; suppress, delete, and prove it.',
    scope: 'read',
    component: lazy(() => import('../views/privacy/privacy-view.tsx').then(({ PrivacyView }) => PrivacyView)),
  },
  {
    path: '/destinations',
    title: 'Destinations and sources',
    about: 'What is set up, what is connected, and a try of an event.',
    scope: 'read',
    component: lazy(() =>
      import('../views/destinations/destinations-view.tsx').then(({ DestinationsView }) => DestinationsView),
    ),
  },
  {
    path: '/warehouses',
    title: 'Warehouses',
    about: 'What was loaded into which tables, and which values did not fit.',
    scope: 'read',
    component: lazy(() => import('../views/warehouse/warehouse-view.tsx').then(({ WarehouseView }) => WarehouseView)),
  },
  {
    path: '/server',
    title: 'Server',
    about: 'What runs here, how much of it is used, and who changed what.',
    scope: 'operate',
    component: lazy(() => import('../views/server/server-view.tsx').then(({ ServerView }) => ServerView)),
  },
]

/** Returns the view of a path: the one whose own path is its longest beginning. */
export function viewOf(path: string): View | undefined {
  const fitting = views.filter((view) => path === view.path || (view.path !== '/' && path.startsWith(`${view.path}/`)))
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]
}
