import { useState } from 'preact/hooks'
import type { LineProblem } from '../../../editor/code-editor.tsx'
import { type Action, useAction } from '../../../parts/use-action.ts'
import { readLibraries } from '../trial/try-in-page.ts'

/** The check of types, which is off at first: it loads TypeScript. */
export interface Types {
  /** Code of the libraries by import name; absent while types are not checked. */
  readonly libraries: Readonly<Record<string, string>> | undefined
  readonly problems: readonly LineProblem[]
  readonly onTypes: (problems: readonly LineProblem[]) => void
  readonly turn: (isOn: boolean) => void
  readonly action: Action
}

export function useTypes(): Types {
  const [libraries, setLibraries] = useState<Types['libraries']>()
  const [problems, onTypes] = useState<readonly LineProblem[]>([])
  const action = useAction()
  const turn = (isOn: boolean): void =>
    void action.run(async () => {
      const known = isOn ? await readLibraries() : []
      setLibraries(isOn ? Object.fromEntries(known.map((each) => [each.name, each.code])) : undefined)
      return undefined
    })
  return { libraries, problems, onTypes, turn, action }
}
