import { createHash } from 'node:crypto'
import type { Context } from 'hono'

const style = `
:root { color-scheme: light dark; --ground: #fbfbfa; --ink: #1c1f1e; --soft: #55605c; --line: #d9dedb; --accent: #0b6e62; font: 15px/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --ground: #121514; --ink: #e8ecea; --soft: #a3afab; --line: #333b38; --accent: #58c9b9 } }
body { background: var(--ground); color: var(--ink); margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere }
a { color: var(--accent) }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem } h3 { font-size: 1rem; margin: 1rem 0 .25rem }
.soft { color: var(--soft) }
details { border-top: 1px solid var(--line); padding: .35rem 0 }
summary { cursor: pointer }
pre { white-space: pre-wrap; border-left: 3px solid var(--line); margin: .25rem 0; padding-left: .75rem }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0 }
dl, dd { margin: 0 } dt { margin-top: .75rem } dd { color: var(--soft) }
`
/** The page runs no code and loads nothing; its one style is known by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * Answers with a page that needs nothing else: no code, no other file and no other host, light and dark.
 * @param body HTML inside the `main` element. Escape texts with `escaped`.
 */
export function smallPage(context: Context, title: string, body: string): Response {
  context.header('Content-Security-Policy', policy)
  context.header('Referrer-Policy', 'no-referrer')
  return context.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`)
}

/** Whether a request is that of a browser that shows a page, and not of a program. */
export function wantsPage({ req }: Context): boolean {
  return req.header('accept')?.includes('text/html') ?? false
}

/** Returns a text for HTML, in elements and in attributes in quotes. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
