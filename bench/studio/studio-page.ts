import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** A shop in a process of its own, and Chromium in others. */
export interface StudioBench {
  readonly browser: Browser
  /** Returns a link that signs in. */
  link(): Promise<string>
  /** Sends so many events per second from now on. */
  rate(eventsPerSecond: number): void
  /** Returns how many events were sent so far. */
  sent(): Promise<number>
  /** Microseconds of CPU of the server so far. */
  cpu(): Promise<number>
  /** Sends one event. @returns when it was acknowledged, in milliseconds since the epoch. */
  send(event: object): Promise<number>
  /** Cuts all connections, and listens again after a second. @returns when it does, in milliseconds since the epoch. */
  restart(): Promise<number>
  close(): Promise<void>
}

/** @throws when there is no Chromium. */
export async function openStudioBench(): Promise<StudioBench> {
  if (!existsSync(executablePath)) throw new Error(`this bench needs Chromium at ${executablePath}`)
  const server = spawn(process.execPath, [new URL('./serve-events.js', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    server.stdin.write(`${question}\n`)
    return String((await lines.next()).value)
  }
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--enable-precise-memory-info',
    ],
  })
  return {
    browser,
    link: () => ask('link'),
    rate: (eventsPerSecond) => server.stdin.write(`rate ${eventsPerSecond}\n`),
    sent: async () => Number(await ask('counts')),
    cpu: async () => Number(await ask('cpu')),
    send: async (event) => Number(await ask(`event ${JSON.stringify(event)}`)),
    restart: async () => Number(await ask('restart')),
    close: async () => {
      await browser.close()
      server.stdin.end()
    },
  }
}

/** Frames of a page during some time: milliseconds between them, at the median and at the 99th percentile, and tasks. */
export interface Frames {
  readonly p50: number
  readonly p99: number
  /** Milliseconds of the longest task. */
  readonly longestTask: number
  /** Tasks of more than 50 ms. */
  readonly longTasks: number
  /** Share of the frames that took more than 50 ms. */
  readonly over50: number
}

/** Watches the frames of a page. */
export function watchFrames(page: Page, ms: number): Promise<Frames> {
  return page.evaluate<Frames>(`new Promise((resolve) => {
    const times = []
    let longestTask = 0
    let longTasks = 0
    const tasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        longestTask = Math.max(longestTask, duration)
        longTasks += 1
      }
    })
    tasks.observe({ entryTypes: ['longtask'] })
    const startedAt = performance.now()
    let before = startedAt
    requestAnimationFrame(function frame(now) {
      times.push(now - before)
      before = now
      if (now - startedAt < ${ms}) return requestAnimationFrame(frame)
      tasks.disconnect()
      times.shift()
      times.sort((a, b) => a - b)
      const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
      resolve({ p50: at(0.5), p99: at(0.99), longestTask, longTasks, over50: times.filter((time) => time > 50).length / times.length })
    })
  })`)
}

/** Bytes of the heap of a page after a collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
