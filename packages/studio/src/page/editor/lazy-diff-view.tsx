import { lazy } from '../parts/lazy.tsx'

/** What changed between two texts; its code is loaded when it is first shown. */
export const DiffView = lazy(() => import('./diff-view.tsx').then(({ DiffView }) => DiffView))
