/**
 * The parts that every page of the dashboard is made of. Import them from here: `import { Button, ListPage } from './index.ts'`.
 *
 * Layout is written in Tailwind's classes over the tokens of app/tokens.css. Colours: bg sub raised hover sel line line2
 * field ink ink2 ink3 off accent(-soft) ok(-soft) warn(-soft, -line) bad(-soft, -line) cb(-soft) danger chart1 to chart6,
 * as `bg-sub text-ink2 border-line`. Text: `text-11` axis, `text-xs` help 12/16, `text-sm` 13/20 (default),
 * `text-base` section 14/20, `text-bar`, `text-title`, `text-figure`, `text-amount`; weights `font-medium font-strong (550)
 * font-semibold`. Radius: `rounded-tag` 4, `rounded-control` 6, `rounded-dialog` 10, `rounded-full`. Shadows:
 * `shadow-button shadow-lifted shadow-over`. Also `px-gutter` (24, on a phone 16), `figures` (tabular), `field-focus`, the
 * variant `phone:` (under 640), `md lg xl` (768, 1024, 1280). There is no reset but app/base.css: a border on a button, an
 * input or a div needs its style for all four sides: `border border-solid border-line`.
 *
 * Forms are data: a Section has Fields. A settings page is useSettings and SettingsForm, a new object CreateForm, a dialog
 * with a form or a question before an action useQuestion; whatever leaves a page goes through useGo() or leave(). ../facts draws
 * facts, ../zone times, ../amount amounts, ../../ui/status statuses, ../../ui/copy-button copies.
 */
export { Actions, Button, buttonClass, ExportLink, FileLink, IconButton, LinkButton, type Offers } from './button.tsx';
export { ChangeList } from './changes.tsx';
export { type Field, Fields, fieldsOf, listText, optionsOf, type Section } from './described.tsx';
export { Dialog } from './dialog.tsx';
export { Checkbox, Select, TextInput, Tick } from './fields.tsx';
export { FormRow, showErrors } from './form.tsx';
export { ConfirmDialog, FormDialog, type FormQuestion, type Question, useQuestion } from './form-dialog.tsx';
export { CreateForm } from './form-page.tsx';
export { useGo } from './leave-guard.tsx';
export { ListPage, type ListProps, withoutCard } from './list-page.tsx';
export { Menu, type MenuItem } from './menu.tsx';
export { type OpenRow, Panel, PanelPart } from './panel.tsx';
export { Code, Empty, ErrorNote, Heading, Note, type Pair, Pairs, Tag } from './parts.tsx';
export { errorText, newRequestKey, RequestFailed, request } from './request.ts';
export { BarButton, SelectionBar, useSelection } from './selection.tsx';
export { SettingsForm, TopNote, useSettings } from './settings-form.tsx';
export { useShortcuts } from './shortcuts.ts';
export { type SmallColumn, SmallTable } from './small-table.tsx';
export { type Column, Loading, ObjectTable } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { useToast } from './toast.tsx';
export { ActionError, useAction } from './use-action.tsx';
export { useObject, useRead } from './use-object.ts';
