import type { ComponentChild, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './notice.tsx'

/** A component whose code is loaded when it is first shown, or before, by `preload`. */
export type LazyComponent<Props extends object> = ((props: Props) => ComponentChild) & { preload(): void }

/** Returns a component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const start = (): Promise<void> => {
    loading ??= load().then(
      (component) => {
        loaded = component
      },
      (error: unknown) => {
        // The next one who needs it tries again.
        loading = undefined
        throw error
      },
    )
    return loading
  }
  function Lazy(props: Props) {
    const [, setDone] = useState(loaded !== undefined)
    const [problem, setProblem] = useState('')
    useEffect(() => {
      start().then(
        () => setDone(true),
        () => setProblem('This part of the page cannot be loaded. The server may have been updated: reload the page.'),
      )
    }, [])
    if (problem !== '') return <Notice kind="bad">{problem}</Notice>
    const Loaded = loaded
    return Loaded ? <Loaded {...props} /> : <p aria-busy="true" class="hint" />
  }
  return Object.assign(Lazy, { preload: () => void start().catch(() => {}) })
}
