import variant from '@jitl/quickjs-wasmfile-release-sync'
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core'

/** Loader of the engine. The declarations of its package are those for `require`, which has one more level. */
export const releaseSync = variant as unknown as QuickJSSyncVariant
