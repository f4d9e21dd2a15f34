import { errorPagePath, errorPagesPath } from '../../routing/error-page-path.ts'
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

/** Returns the page of one code, with links to those of its family. */
export function codePage(code: ErrorPageCode, texts: ErrorTexts): string {
  const text = texts[code]
  const sections = parts.map(([name, title]) => `<h2>${title}</h2>\n<p>${inlineHtml(text[name], texts)}</p>`)
  const others = codesOf(text.source, texts).filter((other) => other !== code)
  return page(
    code,
    `<p class="way"><a href="${errorPagesPath}">All error codes</a> › ${families[text.source] ?? ''}</p>
<h1><code>${code}</code></h1>
${sections.join('\n')}
<nav aria-label="Codes of the same kind"><h2>Of the same kind</h2>
<ul>${others.map(linkTo).join('')}</ul></nav>
<p class="source">From <code>${text.source}</code> in the repository of Sluice.</p>`,
  )
}

/** Returns the page of all codes, by family. */
export function codeListPage(texts: ErrorTexts): string {
  const lists = Object.entries(families).map(([source, title]) => {
    const rows = codesOf(source, texts).map(
      (code) =>
        `<dt><a href="${errorPagePath(code)}"><code>${code}</code></a></dt><dd>${inlineHtml(texts[code].whatHappened, texts)}</dd>`,
    )
    return `<h2>${title}</h2>\n<dl>${rows.join('')}</dl>`
  })
  return page('Error codes', `<h1>Error codes</h1>\n${lists.join('\n')}`)
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sluice</title>
<style>${style}</style>
<main>
${body}
</main>
</html>
`
}

const style = `:root{color-scheme:light dark;--ink:light-dark(#121817,#edf2f1);--quiet:light-dark(#5f6b69,#8a9694);--line:light-dark(#e5e9e8,#1f2726);--brand:light-dark(#09705f,#57d9c3);--sunken:light-dark(#eef1f1,#171d1d)}
body{margin:0;background:light-dark(#f8f9f9,#0a0d0d);color:var(--ink);font:400 1rem/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;margin:.25rem 0 1.5rem}h1 code{background:none;padding:0}
h2{font-size:.8125rem;font-weight:600;color:var(--quiet);margin:1.75rem 0 .25rem}
p{margin:0}a{color:var(--brand)}.way,.source{color:var(--quiet);font-size:.875rem}.source{margin-top:2rem}
code{font:.875em ui-monospace,Menlo,Consolas,monospace;background:var(--sunken);border-radius:.25rem;padding:.1em .3em}
nav{border-top:1px solid var(--line);margin-top:2.5rem}ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
dl{margin:0}dt{margin-top:.75rem}dd{margin:0;color:var(--quiet)}`
