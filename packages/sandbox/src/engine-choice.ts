import type { EngineBuild } from './vm/engine/engine.ts'

/** What runs user code: QuickJS or, in threads and for trusted authors, V8. All threads of a pool have the same. */
export type EngineChoice = { readonly name: 'quickjs'; readonly build: EngineBuild } | { readonly name: 'v8' }
