// For code that reads workspaces, which needs no definitions and no schemas: they would be loaded with it.
export { consentNames, gateListNames, gateNames } from './kit/event-filter/gate-names.ts'
export { sourcePlatform } from './kit/event-filter/source-platform.ts'
