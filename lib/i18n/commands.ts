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
  "policy.name_hint": ["Stands in the conversation and in the Trace.", "会显示在会话和轨迹中。"],
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

  "isolation.title": ["Isolation of commands", "命令隔离"],
  "isolation.lead": [
    "Commands can be kept apart from the machine: they then see the Workspace, the Agent's own folders and a system that they cannot change.",
    "命令可以与服务器主机隔离：隔离后只能看到工作区、智能体自己的文件夹以及无法修改的系统。",
  ],
  "isolation.on": ["Commands are isolated.", "命令已隔离。"],
  "isolation.off": [
    "Commands are not isolated. They run with the rights of the server's account and can read what it can read: other Projects and their keys too.",
    "命令没有隔离。它们以服务器账户的权限运行，能读取该账户可读取的一切，包括其他项目及其密钥。",
  ],
  "isolation.no_bubblewrap": [
    "To isolate them, install bubblewrap and slirp4netns on the server. It is noticed within a minute:",
    "要隔离命令，请在服务器上安装 bubblewrap 和 slirp4netns，一分钟内会自动生效：",
  ],
  "isolation.no_util_linux": [
    "bubblewrap is there, but unshare, nsenter, setpriv or prlimit are missing (package util-linux).",
    "已安装 bubblewrap，但缺少 unshare、nsenter、setpriv 或 prlimit（util-linux 软件包）。",
  ],
  "isolation.failed": [
    "bubblewrap 0.8 or newer is needed, and the system must allow user namespaces; many containers do not. It said:",
    "需要 0.8 或更新版本的 bubblewrap，且系统须允许用户命名空间（许多容器不允许）。其报错信息：",
  ],
  "isolation.not_linux": ["Isolation needs a server on Linux.", "隔离需要运行在 Linux 上的服务器。"],
  "isolation.switched_off": [
    "The operator switched it off (PENGUIN_SANDBOX=off).",
    "管理员已将其关闭（PENGUIN_SANDBOX=off）。",
  ],
  "isolation.no_network": [
    "An isolated network cannot be had: it needs slirp4netns on the server. Until then isolated commands have no network.",
    "无法提供隔离网络：服务器上需要 slirp4netns。在此之前，隔离的命令没有网络。",
  ],
  "isolation.required": ["Only isolated commands", "仅允许隔离的命令"],
  "isolation.required_detail": [
    "Where they cannot be isolated, commands are refused, and nobody is asked.",
    "无法隔离时直接拒绝命令，也不会询问任何人。",
  ],
  "isolation.state_required": ["Demanded", "必须"],
  "isolation.state_free": ["Not demanded", "不强制"],
  "isolation.network": ["Network of isolated commands", "隔离命令的网络"],
  "isolation.network_isolated": ["Isolated", "隔离"],
  "isolation.network_isolated_detail": [
    "The internet and the network around the server, never services on the server itself",
    "可访问互联网和服务器所在网络，但无法访问服务器本机的服务",
  ],
  "isolation.network_off": ["None", "无"],
  "isolation.network_off_detail": ["Nothing but the commands of the same conversation", "只能访问同一会话中的命令"],
  "isolation.network_host": ["The server's own", "服务器网络"],
  "isolation.network_host_detail": [
    "Everything the server reaches, its own services too",
    "服务器能访问的一切，包括本机服务",
  ],
  "isolation.trust": [
    "All conversations of an Agent share its home folder (shared_env), its memory and its skills, isolated or not: the Agent is the boundary.",
    "无论是否隔离，同一智能体的所有会话共享其主目录（shared_env）、记忆和技能：边界是智能体本身。",
  ],
} satisfies Words;
