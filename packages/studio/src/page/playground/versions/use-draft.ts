import { useEffect, useRef, useState } from 'preact/hooks'
import { firstDraft } from '../examples.ts'
import { askMapping } from '../mapping/ask-mapping.ts'
import type { Draft } from './draft.ts'
import { fromFragment, toFragment } from './from-fragment.ts'

/** Milliseconds without a change after which the address holds the draft. */
const writeAfterMs = 300

export interface HeldDraft {
  readonly draft: Draft
  /** Changes with every draft that comes from an address, so that editors begin again. */
  readonly origin: number
  readonly isFromLink: boolean
  change(part: (draft: Draft) => Partial<Draft>): void
}

/**
 * The draft, which the fragment of the address holds: it stays in the browser, and a copy of the address shares it.
 * Secrets of the settings are masked there. @returns undefined until the address is read.
 */
export function useDraft(): HeldDraft | undefined {
  const [state, setState] = useState<Omit<HeldDraft, 'change'>>()
  const written = useRef('')
  useEffect(() => {
    const read = async (): Promise<void> => {
      if (written.current !== '' && location.hash === written.current) return
      const found = await fromFragment(location.hash)
      setState((before) => ({
        draft: found ?? before?.draft ?? firstDraft,
        origin: (before?.origin ?? 0) + 1,
        isFromLink: found !== undefined,
      }))
    }
    void read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  const change = (part: (draft: Draft) => Partial<Draft>): void =>
    setState((before) => before && { ...before, draft: { ...before.draft, ...part(before.draft) } })
  const draft = state?.draft
  useEffect(() => {
    if (draft === undefined || (draft === firstDraft && location.hash === '')) return
    let isOver = false
    const timer = setTimeout(async () => {
      const fragment = await toFragment(await withoutSecrets(draft))
      if (isOver) return
      written.current = fragment
      history.replaceState(null, '', fragment)
    }, writeAfterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [draft])
  return state && { ...state, change }
}

/** Masks secrets, so that a copied address does not share them. Settings that cannot be read are left out: a secret may be among them. */
async function withoutSecrets(draft: Draft): Promise<Draft> {
  if (draft.destination === '') return draft
  try {
    const given = JSON.parse(draft.settings) as object
    const masked = await askMapping({ kind: 'mask', type: draft.destination, settings: given })
    return { ...draft, settings: JSON.stringify(masked, null, 2) }
  } catch {
    return { ...draft, settings: '{}' }
  }
}
