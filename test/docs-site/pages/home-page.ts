import type { Page } from './page.ts'

/** The first page: what Sluice is, in its own words, and where to begin. VitePress lays it out. */
export const homePage: Page = {
  path: 'index',
  text: `---
layout: home
hero:
  name: Sluice
  text: Customer events, governed
  tagline: A TypeScript library that takes events from sources to destinations, and keeps your promises on the way.
  actions:
    - { theme: brand, text: Start in five minutes, link: /guides/start }
    - { theme: alt, text: Every guide, link: /contents }
    - { theme: alt, text: Error codes, link: /reference/errors }
features:
  - title: Embeddable
    details: A pipeline is an object in your process; its HTTP handlers mount where you like.
    link: /guides/embed
  - title: Isolated
    details: User code runs in QuickJS compiled to WebAssembly, with limits for time, memory and output per event.
    link: /behaviour/user-code
  - title: Governed
    details: Events of suppressed users are stopped before they are stored; deletions reach the destinations.
    link: /behaviour/regulations
  - title: Testable
    details: Transformations and destinations run offline, through the same code as in production.
    link: /guides/test-transformations
---
`,
}
