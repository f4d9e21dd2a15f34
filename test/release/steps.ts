import type { Step } from './step.ts'
import { api } from './steps/api.ts'
import { bundler } from './steps/bundler.ts'
import { installs } from './steps/installs.ts'
import { licences } from './steps/licences.ts'
import { publintStep, typesStep } from './steps/manifest-lints.ts'
import { minimal } from './steps/minimal.ts'
import { next } from './steps/next.ts'
import { readme } from './steps/readme.ts'
import { sbom } from './steps/sbom.ts'
import { typescript } from './steps/typescript.ts'
import { versions } from './steps/versions.ts'

/** All steps, quick ones first. */
export const steps: readonly Step[] = [
  versions,
  api,
  publintStep,
  typesStep,
  installs,
  typescript,
  bundler,
  next,
  minimal,
  readme,
  sbom,
  licences,
]
