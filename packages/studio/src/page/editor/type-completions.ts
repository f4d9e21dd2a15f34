import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { hoverTooltip } from '@codemirror/view'
import { askTypes } from '../types/ask-types.ts'
import type { TypedCode } from '../types/types-question.ts'

/** Code of the libraries by import name; undefined while the reader has not turned types on. */
export type TypeLibraries = TypedCode['libraries'] | undefined

/** Completes names by their types. */
export async function typeCompletions(
  context: CompletionContext,
  libraries: TypeLibraries,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/(?<![\w$])[\w$]*$/)
  const isMember = context.matchBefore(/\.[\w$]*$/) !== null
  if (libraries === undefined || (!context.explicit && !isMember && (word === null || word.text === ''))) return null
  const typed = { code: context.state.doc.toString(), libraries }
  const found = await askTypes({ kind: 'completions', typed, at: context.pos }).catch(() => [])
  const options = found.map(
    ({ name, kind }, place): Completion => ({ label: name, type: typeOf(kind), boost: -place / 10 }),
  )
  return options.length === 0 ? null : { from: word?.from ?? context.pos, options, validFor: /^[\w$]*$/ }
}

/** Shows the type of what the pointer is on. */
export function typeHover(libraries: () => TypeLibraries) {
  return hoverTooltip(async (view, at) => {
    const known = libraries()
    if (known === undefined) return null
    const typed = { code: view.state.doc.toString(), libraries: known }
    const found = await askTypes({ kind: 'hover', typed, at }).catch(() => undefined)
    if (found === undefined) return null
    return {
      pos: found.from,
      end: found.to,
      create: () => {
        const dom = document.createElement('pre')
        dom.className = 'type-hover'
        dom.textContent = found.text
        return { dom }
      },
    }
  })
}

function typeOf(kind: string): string {
  return kind === 'method' ? 'function' : kind === 'const' || kind === 'let' || kind === 'var' ? 'variable' : kind
}
