// The calls to the service: each is a command of the same name, but for edits, which have a way of
// their own (edit-protocol.ts). Nothing outside of these two talks to Tauri.
import { Channel, invoke } from '@tauri-apps/api/core';
import type { Backend } from './backend';
import type { Event } from './generated';
import { apply, editPrompt } from './edit-protocol';

/** A text as JSON in ASCII, which is all that a header can hold. */
const ascii = (text: string) =>
  JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The backend of the real window. */
export const tauri: Backend = {
  start: (onEvent) => invoke('start', { page: new Channel<Event>(onEvent) }),
  started: () => invoke('started'),
  workspace: () => invoke('workspace'),
  open: (file) => invoke('open', { file }),
  close: (document) => invoke('close', { document }),

  apply,
  editPrompt,
  renameVariable: (document, base, section, index, name) =>
    invoke('rename_variable', { document, base, section, index, name }),
  alternatives: (document, segment) => invoke('alternatives', { document, segment }),
  undo: (document) => invoke('undo', { document }),
  redo: (document) => invoke('redo', { document }),
  roll: (document) => invoke('roll', { document }),
  useLastSeed: (document) => invoke('use_last_seed', { document }),
  lockSeed: (document, locked) => invoke('lock_seed', { document, locked }),
  lock: (document, slots) => invoke('lock', { document, slots }),

  save: (document) => invoke('save', { document }),
  resolve: (document, choices) => invoke('resolve', { document, choices }),
  revert: (document) => invoke('revert', { document }),

  newRegistryOptions: () => invoke('new_registry_options'),
  readSource: (name, bytes) => invoke('read_source', bytes, { headers: { name: ascii(name) } }),
  changeSource: (number, change) => invoke('change_source', { number, change }),
  chooseWildcards: (number) => invoke('choose_wildcards', { number }),
  forgetSource: (number) => invoke('forget_source', { number }),
  newRegistry: (content, folder, name) => invoke('new_registry', { content, folder, name }),

  places: () => invoke('places'),
  chooseFolder: () => invoke('choose_folder'),
  openFolder: (folder, file) => invoke('open_folder', { folder, file }),
  forgetFolder: (folder) => invoke('forget_folder', { folder }),
  checkName: (purpose, typed) => invoke('check_name', { purpose, typed }),
  newFolder: (name) => invoke('new_folder', { name }),
  renameFolder: (folder, name) => invoke('rename_folder', { folder, name }),
  duplicateFolder: (folder) => invoke('duplicate_folder', { folder }),
  deleteFolder: (folder) => invoke('delete_folder', { folder }),
  discardFolder: (folder) => invoke('discard_folder', { folder }),
  renameRegistry: (file, title, name) => invoke('rename_registry', { file, title, name }),
  moveRegistry: (file, folder) => invoke('move_registry', { file, folder }),
  deleteRegistry: (file) => invoke('delete_registry', { file }),
  restoreRegistry: (id) => invoke('restore_registry', { id }),
  openDamaged: (file) => invoke('open_damaged', { file }),
  keepDamaged: (file, text, version) => invoke('keep_damaged', { file, text, version }),
  saveDamaged: (file, text, version, replacesOther) =>
    invoke('save_damaged', { file, text, version, replacesOther }),
  reveal: (file) => invoke('reveal', { file }),
  registrySizes: (files) => invoke('registry_sizes', { files }),
  duplicateRegistry: (file) => invoke('duplicate_registry', { file }),

  modelJson: (document) => invoke('model_json', { document }),
  exportFile: (document) => invoke('export_file', { document }),
  promptFile: (source, format) => invoke('prompt_file', { source, format }),
  exportPromptFile: (source, format) => invoke('export_prompt_file', { source, format }),
  copy: (text) => invoke('copy', { text }),

  snapshots: (query) => invoke('snapshots', { query }),
  takeSnapshot: (document, name) => invoke('take_snapshot', { document, name }),
  switchSnapshot: (document, id) => invoke('switch_snapshot', { document, id }),
  describeSnapshot: (id, name, note) => invoke('describe_snapshot', { id, name, note }),
  pinSnapshot: (id, key) => invoke('pin_snapshot', { id, key }),
  duplicateSnapshot: (id) => invoke('duplicate_snapshot', { id }),
  deleteSnapshot: (id) => invoke('delete_snapshot', { id }),
  undeleteSnapshot: (id) => invoke('undelete_snapshot', { id }),
  exportSnapshot: (id) => invoke('export_snapshot', { id }),
  compare: (document, left, right, granularity) =>
    invoke('compare', { document, left, right, granularity }),

  lookUps: (document, typed) => invoke('look_ups', { document, typed }),
  entrySplits: (document, section, value, item) =>
    invoke('entry_splits', { document, section, value, item }),
  sectionIndex: (document, section, value) => invoke('section_index', { document, section, value }),
  tryInsertion: (document, entry, index) => invoke('try_insertion', { document, entry, index }),
  editImpact: (document, seed, budget) => invoke('edit_impact', { document, seed, budget }),
  measureImpact: (document, params) => invoke('measure_impact', { document, params }),
  impactProgress: () => invoke('impact_progress'),
  stopImpact: () => invoke('stop_impact'),
  compareRoll: (document, left, right, seed) =>
    invoke('compare_roll', { document, left, right, seed }),
  snapshotImpact: (document) => invoke('snapshot_impact', { document }),
  sampleRolls: (document, params) => invoke('sample_rolls', { document, params }),
  useSampled: (document, params) => invoke('use_sampled', { document, params }),
  measureProfile: (document, params) => invoke('measure_profile', { document, params }),
  profileProgress: () => invoke('profile_progress'),
  stopProfile: () => invoke('stop_profile'),
  profileRolls: (document, params, filter, from) =>
    invoke('profile_rolls', { document, params, filter, from }),
  variantCount: (document) => invoke('variant_count', { document }),
  rollVariants: (document, seed, count) => invoke('roll_variants', { document, seed, count }),
  useSeed: (document, seed) => invoke('use_seed', { document, seed }),
  tryPolicy: (document, text) => invoke('try_policy', { document, text }),

  connections: () => invoke('connections'),
  keepConnection: (connection, before) => invoke('keep_connection', { connection, before }),
  forgetConnection: (name) => invoke('forget_connection', { name }),
  setKey: (name, key) => invoke('set_key', { name, key }),
  useModel: (name, model) => invoke('use_model', { name, model }),
  models: (name) => invoke('models', { name }),
  tryConnection: (connection, before, key) => invoke('try_connection', { connection, before, key }),
  startRuns: (document, params) => invoke('start_runs', { document, params }),
  stopRuns: (batch) => invoke('stop_runs', { batch }),
  runs: (document, offset, limit) => invoke('runs', { document, offset, limit }),
  run: (id) => invoke('run', { id }),
  forgetRun: (id) => invoke('forget_run', { id }),
  reopenRun: (document, id) => invoke('reopen_run', { document, id }),
  talk: (document, call) => invoke('talk', { document, call }),
  talkRequest: (document, params, messages) =>
    invoke('talk_request', { document, params, messages }),
  sendTurns: (document, params, messages, ask) =>
    invoke('send_turns', { document, params, messages, ask }),
  keepCall: (document, params, call) => invoke('keep_call', { document, params, call }),
  compareTurns: (left, right) => invoke('compare_turns', { left, right }),
  chat: (document) => invoke('chat', { document }),
  saveChat: (document, setup) => invoke('save_chat', { document, setup }),
  chooseChatModel: (document, slot, folder) =>
    invoke('choose_chat_model', { document, slot, folder }),
  renderChat: (document, setup) => invoke('render_chat', { document, setup }),
  inspectChat: (document, setup) => invoke('inspect_chat', { document, setup }),
  compareChat: (document, setup, other) => invoke('compare_chat', { document, setup, other }),
  copiedChat: (document, setup, form) => invoke('copied_chat', { document, setup, form }),

  saveSettings: (settings) => invoke('save_settings', { settings }),
  view: (file) => invoke('view', { file }),
  saveView: (file, view) => invoke('save_view', { file, view }),

  calls: () => invoke('calls'),
  newCall: (registry, name) => invoke('new_call', { registry, name }),
  readMessages: (text) => invoke('read_messages', { text }),
  openCall: (document) => invoke('open_call', { document }),
  applyCall: (document, group) => invoke('apply_call', { document, group }),
  undoCall: (document) => invoke('undo_call', { document }),
  redoCall: (document) => invoke('redo_call', { document }),
  saveCall: (document) => invoke('save_call', { document }),
  resolveCall: (document, choices) => invoke('resolve_call', { document, choices }),
  openChecks: (registry) => invoke('open_checks', { registry }),
  applyChecks: (document, group) => invoke('apply_checks', { document, group }),
  undoChecks: (document) => invoke('undo_checks', { document }),
  redoChecks: (document) => invoke('redo_checks', { document }),
  saveChecks: (document) => invoke('save_checks', { document }),
  resolveChecks: (document, choices) => invoke('resolve_checks', { document, choices }),
  runChecks: (registry) => invoke('run_checks', { registry }),
  keepCheck: (registry, check) => invoke('keep_check', { registry, check }),
  openCheckRoll: (registry, index, seed) => invoke('open_check_roll', { registry, index, seed }),

  useCall: (document, call) => invoke('use_call', { document, call }),
  request: (document, params) => invoke('request', { document, params }),
};
