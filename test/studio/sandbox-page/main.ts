import { createCodeRunner } from '../../../packages/studio/src/page/sandbox/code-runner.ts'

Object.assign(globalThis, { createCodeRunner })
