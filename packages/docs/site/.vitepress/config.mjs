import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const inSite = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The site is made of pages that test/docs-site has written into dist/pages; `npm run docs:build` does all of it. */
export default defineConfig({
  title: 'Sluice',
  description: 'An event pipeline engine with governance built in.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  // Addresses begin with /, so the site belongs at the root of its host. They end in .html, so that any file server does.
  base: '/',
  srcDir: inSite('dist/pages'),
  outDir: inSite('dist/site'),
  cacheDir: inSite('dist/cache'),
  srcExclude: ['public/**'],
  // Dead links fail the build. Copies of files are no pages; the generator fails when one of them is missing.
  ignoreDeadLinks: [/^\/files\//],
  markdown: {
    // Angle brackets of prose are text, and so are double braces, which Vue would evaluate.
    html: false,
    // Links to sections are written for GitHub, whose anchors have no punctuation.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(' ', '-'),
    },
    config(md) {
      const toText = (text) => md.utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;')
      md.renderer.rules.text = (tokens, index) => toText(tokens[index].content)
      md.renderer.rules.code_inline = (tokens, index) => `<code v-pre>${toText(tokens[index].content)}</code>`
    },
    languageAlias: { ndjson: 'json' },
  },
  themeConfig: {
    // The first page is no page of VitePress, so its router leaves the link to the browser.
    logoLink: { link: '/index.html', target: '_self' },
    nav: [
      { text: 'Start', link: '/guides/start' },
      { text: 'Guides', link: '/contents', activeMatch: '^/(guides/(?!start)|contents|overview)' },
      { text: 'Reference', link: '/reference/errors', activeMatch: '^/(reference|api|behaviour|errors)/' },
      { text: 'Design', link: '/architecture' },
      // No page of VitePress: with a target, its router leaves the link to the browser.
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    sidebar: JSON.parse(readFileSync(inSite('dist/pages/sidebars.json'), 'utf8')),
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A code or a word is found in the page that explains it before it is found in a declaration.
            boostDocument: (id) => (id.includes('/reference/library/') ? 0.2 : /\/errors[/.]/.test(id) ? 2 : 1),
          },
        },
      },
    },
    outline: { level: [2, 3] },
  },
})
