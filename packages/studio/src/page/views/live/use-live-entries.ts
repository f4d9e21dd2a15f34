import { useEffect, useRef, useState } from 'preact/hooks'
import { watchTap } from '../../api/tap.ts'
import { EntryBuffer, type NumberedEntry } from './entry-buffer.ts'

interface LiveEntries {
  /** What is shown: it stands still while it is paused. */
  readonly entries: readonly NumberedEntry[]
  /** Entries that came since it was paused. */
  readonly fresh: number
  readonly seen: number
  readonly leftOut: number
  readonly isOpen: boolean
  readonly problem: string | undefined
  clear(): void
}

/** Watches the tap, and shows what came once per frame at most. */
export function useLiveEntries(isPaused: boolean): LiveEntries {
  const buffer = useRef(new EntryBuffer())
  const [shown, setShown] = useState({ entries: [] as readonly NumberedEntry[], seen: 0, leftOut: 0 })
  const [latest, setLatest] = useState({ seen: 0, leftOut: 0 })
  const [state, setState] = useState<{ isOpen: boolean; problem?: string | undefined }>({ isOpen: false })
  const paused = useRef(isPaused)
  paused.current = isPaused
  const show = (): void => {
    const { entries, seen, leftOut } = buffer.current
    setLatest({ seen, leftOut })
    if (!paused.current) setShown({ entries, seen, leftOut })
  }
  useEffect(show, [isPaused])
  useEffect(() => {
    const over = new AbortController()
    let frame: number | undefined
    const soon = (): void => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        show()
      })
    }
    watchTap((message) => {
      if (message.kind === 'state') setState(message)
      else if (message.kind === 'leftOut') buffer.current.skip(message.count)
      else buffer.current.add(message.entries)
      soon()
    }, over.signal)
    return () => {
      over.abort()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [])
  return {
    entries: shown.entries,
    fresh: latest.seen - shown.seen,
    ...latest,
    isOpen: state.isOpen,
    problem: state.problem,
    clear: () => {
      buffer.current.clear()
      setShown({ entries: [], seen: buffer.current.seen, leftOut: buffer.current.leftOut })
    },
  }
}
