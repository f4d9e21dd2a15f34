import { errorPagePath, errorPagesPath } from '../../routing/error-page-path.ts'
import { escaped } from '../../routing/small-page.ts'
import type { ErrorPageCode, ErrorText } from './error-page-code.ts'

type ErrorTexts = Readonly<Record<ErrorPageCode, ErrorText>>

const parts = [
  ['whatHappened', 'What happened'],
  ['why', 'Why'],
  ['whatToDo', 'What to do'],
  ['example', 'Example'],
] as const

/** Titles of the families, by the file that has them. */
const families: Readonly<Record<string, string>> = {
  'packages/docs/errors/events.md': 'Events that fail',
  'packages/docs/errors/ingestion.md': 'Refused events',
  'packages/docs/errors/requests.md': 'Requests and access',
  'packages/docs/errors/configuration.md': 'Sources, destinations and plans',
  'packages/docs/errors/transformations.md': 'Transformations and libraries',
  'packages/docs/errors/regulations.md': 'Regulations and deletions',
  'packages/docs/errors/operations.md': 'Dead letters, jobs and warehouses',
}

/** Returns the body of the page of one code, with links to those of its family. */
export function codePage(code: ErrorPageCode, texts: ErrorTexts): string {
  const text = texts[code]
  const sections = parts.map(([name, title]) => `<h2>${title}</h2>\n<p>${inlineHtml(text[name], texts)}</p>`)
  const others = codesOf(text.source, texts).filter((other) => other !== code)
  return `<p class="soft"><a href="${errorPagesPath}">All error codes</a> › ${families[text.source] ?? ''}</p>
<h1><code>${code}</code></h1>
${sections.join('\n')}
<nav aria-label="Codes of the same kind"><h2>Of the same kind</h2>
<ul>${others.map(linkTo).join('')}</ul></nav>
<p class="soft">From <code>${text.source}</code> in the repository of Sluice.</p>`
}

/** Returns the body of the page of all codes, by family. */
export function codeListPage(texts: ErrorTexts): string {
  const lists = Object.entries(families).map(([source, title]) => {
    const rows = codesOf(source, texts).map(
      (code) =>
        `<dt><a href="${errorPagePath(code)}"><code>${code}</code></a></dt><dd>${inlineHtml(texts[code].whatHappened, texts)}</dd>`,
    )
    return `<h2>${title}</h2>\n<dl>${rows.join('')}</dl>`
  })
  return `<h1>Error codes</h1>\n${lists.join('\n')}`
}

function codesOf(source: string, texts: ErrorTexts): readonly ErrorPageCode[] {
  return (Object.keys(texts) as ErrorPageCode[]).filter((code) => texts[code].source === source)
}

const linkTo = (code: ErrorPageCode): string => `<li><a href="${errorPagePath(code)}"><code>${code}</code></a></li>`

/** Code, links and bold text of a paragraph. Links to other pages of the documentation name the file, which has no address here. */
function inlineHtml(markdown: string, texts: ErrorTexts): string {
  return markdown
    .split(/(\[[^[\]]+\]\([^()]+\)|`[^`]+`)/)
    .map((part) => {
      if (part.startsWith('`')) return codeHtml(part.slice(1, -1), texts)
      const [, text, link] = /^\[([^[\]]+)\]\(([^()]+)\)$/.exec(part) ?? []
      return text === undefined
        ? escaped(part)
        : `${inlineHtml(text, texts)} (<code>${escaped(fileOf(link ?? ''))}</code>)`
    })
    .join('')
}

function codeHtml(code: string, texts: ErrorTexts): string {
  const html = `<code>${escaped(code)}</code>`
  return Object.hasOwn(texts, code) ? `<a href="${errorPagePath(code)}">${html}</a>` : html
}

/** Returns the file of a link from the folder of the pages: `../api/access.md` is `packages/docs/api/access.md`. */
function fileOf(link: string): string {
  return new URL(link, 'file:///packages/docs/errors/').pathname.slice(1)
}
