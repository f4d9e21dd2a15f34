import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './notice.tsx'

/** Returns a component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [, setDone] = useState(loaded !== undefined)
    const [problem, setProblem] = useState('')
    useEffect(() => {
      if (loaded) return
      load().then(
        (component) => {
          loaded = component
          setDone(true)
        },
        () => setProblem('This part of the page cannot be loaded. The server may have been updated: reload the page.'),
      )
    }, [])
    if (problem !== '') return <Notice kind="bad">{problem}</Notice>
    const Loaded = loaded
    return Loaded ? <Loaded {...props} /> : <p aria-busy="true" class="hint" />
  }
}
