/** A page of the site. */
export interface Page {
  /** Address in the site, without slash at the start and without ending: `guides/tour`. */
  readonly path: string
  /** Markdown. Its first line is the heading, unless the page has front matter. */
  readonly text: string
  /** File the text comes from, below the root of the repository. Generated pages have none. */
  readonly source?: string
}

/** Returns the first heading of a page, without marks. */
export function titleOf({ text, path }: Page): string {
  const [, heading = path] = /^# (.+)$/m.exec(text) ?? []
  return heading.replaceAll('`', '')
}
