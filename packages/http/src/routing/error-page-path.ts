/** Where the pages of error codes are, below the address of the server. */
export const errorPagesPath = '/docs/errors'

/** Returns the path of the page about a code: `/docs/errors/transform.timeout`. It needs no credential. */
export function errorPagePath(code: string): string {
  return `${errorPagesPath}/${code}`
}
