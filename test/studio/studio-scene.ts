import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import type { StudioServer } from './studio-server.ts'

export interface StudioScene {
  readonly page: Page
  readonly origin: string
  /** What the page reported as wrong: errors, refusals of its policy, requests to other origins. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** Opens the page of a running shop, signed in by the link of the server. */
export async function openStudio(browser: Browser, server: StudioServer): Promise<StudioScene> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin) && !request.url().startsWith('blob:')) complaints.push(request.url())
  })
  await page.goto(await server.link())
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  return { page, origin: server.origin, complaints, close: () => context.close() }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns what axe finds wrong with the page as it is (WCAG 2.2, A and AA): rule, and the first elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, to which the policy of the page does not apply.
  await page.evaluate(axe)
  const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => {
    const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))
    return `${id}: ${shown.join(' | ')}`
  })
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}
