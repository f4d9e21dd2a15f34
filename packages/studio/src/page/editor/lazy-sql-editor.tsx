import { lazy } from '../parts/lazy.tsx'

/** An editor for SQL; its code is loaded when it is first shown. */
export const SqlEditor = lazy(() => import('./sql-editor.tsx').then(({ SqlEditor }) => SqlEditor))
