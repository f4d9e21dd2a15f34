import type { ProcessVitals, Telemetry } from '@sluice/pipeline'

/** Time over which rates are taken, in milliseconds. */
const windowMs = 10_000
/** Readings closer together than this share one, so that their number is bounded. */
const apartMs = 500

interface Reading {
  /** Milliseconds of a monotonic clock. */
  readonly at: number
  readonly cpuMs: number
  readonly accepted: number
  readonly sent: number
}

/** What is read of the process; by default that of this one. */
interface ProcessGauges {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Milliseconds on cores since the process started. */
  cpuMs(): number
  memoryBytes(): number
}

const ownGauges: ProcessGauges = {
  now: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
  memoryBytes: () => process.memoryUsage.rss(),
}

/** Counts the events of this process, and reads what it takes of the machine. */
export function createProcessVitals(gauges: ProcessGauges = ownGauges) {
  let accepted = 0
  let sent = 0
  const take = (): Reading => ({ at: gauges.now(), cpuMs: gauges.cpuMs(), accepted, sent })
  const readings = [take()]
  const telemetry: Telemetry = {
    around: async (work, run) => {
      const result = await run()
      if (work.kind === 'append') accepted += work.inputs
      else if (work.kind === 'deliver' || work.kind === 'load') sent += work.inputs
      return result
    },
    stageEnded: () => {},
    caughtUp: () => {},
  }
  return {
    telemetry,
    /** Returns the rates since the reading about ten seconds ago; since the start at first. */
    read(): ProcessVitals {
      const last = take()
      const isSoon = readings.length > 1 && last.at - (readings.at(-1)?.at ?? 0) < apartMs
      if (!isSoon) readings.push(last)
      while (readings.length > 2 && last.at - (readings[1]?.at ?? 0) >= windowMs) readings.shift()
      const first = readings[0] ?? last
      const ms = Math.max(1, last.at - first.at)
      const perSecond = (count: number): number => Math.round((count * 10_000) / ms) / 10
      return {
        cpuShare: Math.round(((last.cpuMs - first.cpuMs) * 1_000) / ms) / 1_000,
        memoryBytes: gauges.memoryBytes(),
        acceptedPerSecond: perSecond(last.accepted - first.accepted),
        sentPerSecond: perSecond(last.sent - first.sent),
      }
    },
  }
}
