import type { Page } from 'playwright-core'
import type { FigureResult } from '../bench-kit.ts'
import type { StudioBench } from './studio-page.ts'

const keys = 100
const lines = 2_000

/** How quick the editor of a transformation is: keys, completions, runs. */
export async function editorFigures(bench: StudioBench): Promise<readonly FigureResult[]> {
  const context = await bench.browser.newContext()
  const page = await context.newPage()
  await page.goto(await bench.link())
  await page.getByRole('link', { name: 'Transformations', exact: true }).click()
  await page.getByRole('button', { name: 'New transformation' }).click()
  const name = page.getByLabel('Name of a new transformation')
  await name.waitFor()
  const plain = await keysToPaint(page, async () => {
    await name.click()
  })
  await name.fill('Timed')
  await page.getByRole('button', { name: 'Create' }).click()
  const editor = page.getByLabel('Code of Timed')
  await editor.waitFor()
  const write = async (code: string): Promise<void> => {
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(code)
  }
  /** What it returns is not in its text, so that the page shows it only once it has run. */
  const run = async (n: number): Promise<number> => {
    await write(`export const transformEvent = (event) => ({ ...event, at: 'run-' + (${n} + 1000) })`)
    await page.waitForTimeout(300)
    return timeOf(page, `/run-${n + 1_000}/`, () => page.keyboard.press('Control+Enter'))
  }
  const firstRun = await run(0)
  const warmRuns: number[] = []
  for (let n = 1; n <= 10; n += 1) warmRuns.push(await run(n))
  const complete = async (code: string): Promise<number> => {
    await write(code)
    await page.waitForTimeout(500)
    await page.keyboard.press('Escape')
    return timeOf(page, "document.querySelector('.cm-completionLabel')", () => page.keyboard.press('Control+Space'))
  }
  const paths: number[] = []
  for (let n = 0; n < 10; n += 1)
    paths.push(await complete('export function transformEvent(event) {\n  return event.properties.'))
  await write(Array.from({ length: lines }, (_, n) => `export const value${n} = ${n} + "text of line ${n}"`).join('\n'))
  const edited = await keysToPaint(page, async () => {
    await editor.click()
  })
  await page.getByRole('tab', { name: 'Types' }).click()
  await page.getByText('Check types').click()
  const typed: number[] = []
  for (let n = 0; n < 11; n += 1)
    typed.push(await complete('export function transformEvent(event: TrackEvent) {\n  return event.context.'))
  typed.shift()

  await context.close()
  return [
    {
      name: `key to paint in ${lines} lines, p95`,
      value: at(edited, 0.95),
      unit: 'ms',
      goal: '≤ 16 more than a field',
    },
    { name: '… by that in a field of a form', value: at(edited, 0.95) / at(plain, 0.95), unit: 'x', goal: 'none' },
    {
      name: 'completion from the catalogue, p95',
      value: at(paths, 0.95),
      unit: 'ms',
      goal: '≤ 50 beside the 50 of CodeMirror',
    },
    { name: 'completion by types, warm, p95', value: at(typed, 0.95), unit: 'ms', goal: '≤ 150' },
    { name: 'run in the page, first', value: firstRun, unit: 'ms', goal: '≤ 600' },
    { name: 'run in the page, warm, median', value: at(warmRuns, 0.5), unit: 'ms', goal: '≤ 30' },
  ]
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

/** Milliseconds from keys to the end of the frame that shows them. */
async function keysToPaint(page: Page, focus: () => Promise<void>): Promise<readonly number[]> {
  await focus()
  await page.evaluate(`(() => {
    globalThis.keyTimes = []
    globalThis.onKey = (event) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => globalThis.keyTimes.push(performance.now() - event.timeStamp)
      port2.postMessage(0)
    })
    addEventListener('keydown', globalThis.onKey, true)
  })()`)
  for (let key = 0; key < keys; key += 1) await page.keyboard.press('abcdefgh'[key % 8] ?? 'a', { delay: 20 })
  return page.evaluate<readonly number[]>(`(() => {
    removeEventListener('keydown', globalThis.onKey, true)
    return globalThis.keyTimes
  })()`)
}

/** Milliseconds from a key until the page has what it did not have before; it is painted with the next frame. */
async function timeOf(page: Page, condition: string, press: () => Promise<void>): Promise<number> {
  const holds = condition.startsWith('/') ? `${condition}.test(document.querySelector('main').textContent)` : condition
  await page.evaluate(`void (globalThis.timed = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('nothing came')), 20_000)
    let startedAt
    addEventListener('keydown', (event) => { startedAt = event.timeStamp }, { capture: true, once: true })
    const observer = new MutationObserver(() => {
      if (startedAt === undefined || !(${holds})) return
      observer.disconnect()
      resolve(performance.now() - startedAt)
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  }))`)
  await press()
  return page.evaluate<number>('globalThis.timed')
}
