/** One file of the page. */
export interface StudioFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same, compressed by gzip. */
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly contentType: string
  /** Whether the name contains a hash of the content, so that browsers may keep it. */
  readonly isImmutable: boolean
}

/** Files of the page by path below `/studio/`, such as `index.html` and `assets/main-1a2b3c.js`. */
export interface StudioFiles {
  /** Returns a file, undefined when there is none. */
  find(path: string): Promise<StudioFile | undefined>
}
