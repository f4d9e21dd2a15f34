import type { TypeStripper, TypeStripperOptions } from './type-stripper.ts'

/**
 * Creates a stripper that leaves code as it is. The parser can hang, so it needs a thread that can be ended; only Node
 * has one here. Elsewhere pass a stripper of your own as sandbox option `typeStripper`.
 */
export function createTypeStripper(_options: TypeStripperOptions = {}): TypeStripper {
  return {
    strip: async () => ({
      ok: false,
      message: 'types are not removed on this platform',
      line: 0,
      column: 0,
      isUnsupported: false,
    }),
    close: async () => {},
  }
}
