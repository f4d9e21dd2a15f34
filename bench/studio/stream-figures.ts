import type { Page } from 'playwright-core'
import type { FigureResult } from '../bench-kit.ts'
import type { StudioBench } from './studio-page.ts'

const rows = 40
/** Seconds over which the CPU of the server is summed. */
const costSeconds = 15
const callRate = 1_000

/** How soon the studio shows what happens, and what that costs the server. */
export async function streamFigures(bench: StudioBench): Promise<readonly FigureResult[]> {
  const cost = await costOfPage(bench)
  const context = await bench.browser.newContext()
  const page = await context.newPage()
  await page.goto(await bench.link())
  await page.getByRole('link', { name: 'Live events', exact: true }).click()
  await page.getByText('Watching').waitFor()
  const delays: number[] = []
  for (let n = 0; n < rows; n += 1) delays.push(await untilRow(bench, page, `Row ${n}`))
  const listensAt = await bench.restart()
  let reconnectedAt = Number.NaN
  for (let n = 0; n < 100 && Number.isNaN(reconnectedAt); n += 1) {
    const name = `Again ${n}`
    const shown = rowTime(page, name, 200)
    await bench.send(eventOf(name))
    reconnectedAt = await shown
  }
  if (Number.isNaN(reconnectedAt)) throw new Error('the page did not reconnect within 20 s')
  await bench.send({ ...eventOf('Large'), messageId: 'large', properties: { text: 'word '.repeat(200_000) } })
  const large = page.getByRole('link', { name: /Large track/ }).first()
  await large.waitFor()
  const openedAt = Date.now()
  await large.click()
  await page.getByRole('tab', { name: 'Event', exact: true }).click()
  await page
    .getByRole('region', { name: /^payload at/ })
    .getByText('Delivered')
    .waitFor({ timeout: 15_000 })
  const largeMs = Date.now() - openedAt
  await context.close()
  return [
    { name: 'acknowledged to row, p95', value: at(delays, 0.95), unit: 'ms', goal: '≤ 250' },
    { name: 'listening again to row', value: reconnectedAt - listensAt, unit: 'ms', goal: '≤ 3000' },
    { name: 'event of 1 MB opened', value: largeMs, unit: 'ms', goal: '≤ 300' },
    {
      name: `CPU of the server for an open page, by that for ${callRate} events/s`,
      value: cost,
      unit: 'x',
      goal: '≤ 0.02',
    },
  ]
}

const eventOf = (event: string): object => ({ type: 'track', event, userId: 'u' })

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
}

/**
 * Returns what an open page costs the server by what events cost it. Both are differences to a server without work: two
 * runs with events differ by more than the page costs.
 */
async function costOfPage(bench: StudioBench): Promise<number> {
  const idle = await cpuOfSeconds(bench)
  bench.rate(callRate)
  const busy = await cpuOfSeconds(bench)
  bench.rate(0)
  const context = await bench.browser.newContext()
  const page = await context.newPage()
  await page.goto(await bench.link())
  await page.getByText('Every event is accounted for').waitFor()
  const watched = await cpuOfSeconds(bench)
  await context.close()
  return (watched - idle) / (busy - idle)
}

/** Microseconds of CPU of the server, after a second in which it gets used to its work. */
async function cpuOfSeconds(bench: StudioBench): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const before = await bench.cpu()
  await new Promise((resolve) => setTimeout(resolve, costSeconds * 1_000))
  return (await bench.cpu()) - before
}

async function untilRow(bench: StudioBench, page: Page, name: string): Promise<number> {
  const shown = rowTime(page, name, 5_000)
  const acknowledgedAt = await bench.send(eventOf(name))
  return Math.max(0, (await shown) - acknowledgedAt)
}

/** Resolves with the time when a row with this text is painted, in milliseconds since the epoch; NaN when none comes. */
function rowTime(page: Page, name: string, timeoutMs: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const endsAt = performance.now() + ${timeoutMs}
    requestAnimationFrame(function frame(now) {
      if (document.querySelector('main').textContent.includes(${JSON.stringify(name)})) return resolve(Date.now())
      if (now > endsAt) return resolve(NaN)
      requestAnimationFrame(frame)
    })
  })`)
}
