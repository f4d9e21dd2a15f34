import type { ServedFile } from '../file-answer.ts'

/** One file of the page. */
export type StudioFile = ServedFile

/** Files of the page by path below `/studio/`, such as `index.html` and `assets/main-1a2b3c.js`. */
export interface StudioFiles {
  /** Returns a file, undefined when there is none. */
  find(path: string): Promise<StudioFile | undefined>
}
