import { errorTexts } from '@sluice/http/error-texts'
import { type Page, titleOf } from '../pages/page.ts'

/** Pages about codes, in the order in which a reader meets them. */
const order = ['events', 'ingestion', 'requests', 'configuration', 'transformations', 'regulations', 'operations']

/**
 * Returns the page of all error codes, which leads to the section of each.
 * @param written all pages. Those below `errors` have the sections.
 */
export function errorPage(written: readonly Page[]): Page {
  const tables = order.map((name) => {
    const page = written.find(({ path }) => path === `errors/${name}`)
    if (page === undefined) throw new Error(`There is no page errors/${name}.`)
    const rows = Object.entries(errorTexts)
      .filter(([, { source }]) => source === page.source)
      .map(([code, { whatHappened }]) => `| [\`${code}\`](../${sectionOf(code)}) | ${whatHappened} |`)
    return [`## ${titleOf(page)}`, '', '| code | what happened |', '| --- | --- |', ...rows].join('\n')
  })
  const text = [
    '# Error codes',
    'Every code that Sluice answers or stores. Its section says what happened, why, what to do, and shows an example. A message says more than its code: which value, which line, which limit. Codes do not change; messages may.',
    'Each server has these pages too: an answer says where in `docs` or in its header `Link`, as `/docs/errors/transform.timeout`. `sluice explain transform.timeout` prints one without a server.',
    ...tables,
  ]
  return { path: 'reference/errors', text: `${text.join('\n\n')}\n` }
}

const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(errorTexts).map(([code, { source }]) => [code, source.replace('packages/docs/', '')]),
)

export function isErrorCode(code: string): boolean {
  return sources.has(code)
}

/**
 * Returns where the section of a code is, from the root of the site: `errors/events.md#transformtimeout`.
 * Its anchor is what GitHub and the site derive from the heading.
 */
export function sectionOf(code: string): string {
  return `${sources.get(code)}#${code.toLowerCase().replaceAll('.', '')}`
}
