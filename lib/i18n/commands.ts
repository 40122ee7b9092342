import type { Words } from "./words";

/** What commands of a Project may do. */
export const commandWords = {
  "policy.title": ["Command rules", "命令规则"],
  "policy.lead": [
    "A command that fits a rule is refused in every approval mode, before anybody is asked.",
    "命中规则的命令在任何审批模式下都会被拒绝，且不会询问任何人。",
  ],
  "policy.limits": [
    "A rule reads the text of a command, not what the command does. Scripts, variables, other programs and encoded text get past it, and so do the file tools. Rules stop mistakes, not somebody who means it; for that, isolate the commands and do not allow everything unasked.",
    "规则只检查命令文本，不检查命令的实际行为。脚本、变量、其他程序、编码后的文本以及文件工具都可能绕过规则。规则能防止失误，但防不住蓄意行为；要防范后者，请隔离命令，并且不要免审批放行一切操作。",
  ],
  "policy.on": ["Apply these rules", "启用这些规则"],
  "policy.on_detail": ["Off: only the approval mode decides.", "关闭后仅由审批模式决定。"],
  "policy.factory": [
    "These rules come with PenguinHarness. A change makes them this Project's own.",
    "这些规则为 PenguinHarness 自带。修改后即成为本项目自己的规则。",
  ],
  "policy.restore": ["Restore the default rules", "恢复默认规则"],
  "policy.restore_title": ["Restore the default rules?", "恢复默认规则？"],
  "policy.state_on": ["On", "已启用"],
  "policy.state_off": ["Off", "已关闭"],
  "policy.remove_title": ["Remove the rule {name}?", "移除规则 {name}？"],
  "policy.remove_body": [
    "Commands that it refused are then decided by the approval mode.",
    "此前被它拒绝的命令将改由审批模式决定。",
  ],
  "policy.restore_body": [
    "The rules of this Project are replaced by those that come with PenguinHarness.",
    "本项目的规则将被 PenguinHarness 自带的规则取代。",
  ],
  "policy.none": ["There are no rules. Only the approval mode decides.", "没有规则，仅由审批模式决定。"],
  "policy.add": ["Add rule", "添加规则"],
  "policy.add_title": ["Add a rule", "添加规则"],
  "policy.edit": ["Edit the rule {name}", "编辑规则 {name}"],
  "policy.edit_title": ["Edit the rule", "编辑规则"],
  "policy.remove": ["Remove the rule {name}", "移除规则 {name}"],
  "policy.toggle": ["Rule {name}", "规则 {name}"],
  "policy.broken": [
    "This rule cannot be read, so it refuses every command: {why}",
    "无法读取此规则，因此它会拒绝所有命令：{why}",
  ],
  "policy.name": ["Name", "名称"],
  "policy.name_hint": ["Stands in the conversation and in the Trace.", "会显示在会话和 Trace 中。"],
  "policy.pattern": ["Pattern", "匹配模式"],
  "policy.pattern_hint": [
    "A regular expression, looked for anywhere in the command, also without its quotes and backslashes. \\bgit push\\b refuses every push.",
    "正则表达式，在命令的任意位置查找，也会在去掉引号和反斜杠后的命令中查找。例如 \\bgit push\\b 会拒绝所有推送。",
  ],
  "policy.pattern_bad": ["This cannot be used: {why}", "无法使用：{why}"],
  "policy.description": ["What the model is told", "告知模型的说明"],
  "policy.description_hint": [
    "For instance what to do instead. It may be left empty.",
    "例如应改用什么做法。可以留空。",
  ],
  "policy.try": ["Try a command", "试一条命令"],
  "policy.try_hint": ["Nothing is run.", "不会执行任何命令。"],
  "policy.try_refused": ["Refused by the rule {name}.", "被规则 {name} 拒绝。"],
  "policy.try_passed": ["No rule refuses it: the approval mode decides.", "没有规则拒绝它，由审批模式决定。"],
  "policy.try_off": ["The rules are switched off.", "规则已关闭。"],
} satisfies Words;
